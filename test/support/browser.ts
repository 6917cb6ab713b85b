import { spawn, spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { type Browser, chromium, type Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { cleanEnvironment, PROGRAM } from './cli.ts'
import { ROOT } from './docs.ts'

const EXAMPLE = join(ROOT, 'examples', 'browser')
const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
}

/** A fresh machine downloads a browser first. */
export const SETUP_MS = 600_000

/** A Chromium; one that is missing is installed, or the error says how to get it. */
export function openBrowser(): Promise<Browser> {
  const script = join(ROOT, 'scripts', 'chromium.mjs')
  const { status, stdout, stderr } = spawnSync(process.execPath, [script], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`these tests need a browser: ${stderr}`)
  return chromium.launch({ executablePath: stdout.trim() })
}

/** The example's files at an origin of their own, as any web server gives them out. */
export async function hostExample(): Promise<string> {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const name = pathname === '/' ? 'index.html' : pathname.slice(1)
    const type = TYPES[extname(name)]
    const content = type && (await readFile(join(EXAMPLE, name)).catch(() => undefined))
    if (content) response.writeHead(200, { 'content-type': type }).end(content)
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

export interface Running {
  /** Of the MCP endpoint. */
  url: string
  stop(): Promise<void>
}

/** The program as a user starts it, over HTTP. Port 0 is a free one. */
export async function serveHttp(
  source: string,
  { port = 0, env = {} }: { port?: number; env?: Record<string, string> } = {},
): Promise<Running> {
  const args = ['serve', '--transport', 'http', '--listen', `127.0.0.1:${port}`, '--source', source]
  const child = spawn(process.execPath, [PROGRAM, ...args], { cwd: source, env: cleanEnvironment(env) })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
  }
  onTestFinished(stop)
  let output = ''
  const url = await new Promise<string>((resolve, reject) => {
    const look = (piece: unknown) => {
      output += piece
      const said = output.match(/ at (http:\S+)\n/)?.[1]
      if (said !== undefined) resolve(said)
    }
    child.stdout.on('data', look)
    child.stderr.on('data', look)
    void ended.then(() => reject(new Error(`it ended before it listened: ${output}`)))
  })
  return { url, stop }
}

/** Another client of the same server, which writes. */
export async function connectWriter(url: string): Promise<(payload: string) => Promise<void>> {
  const client = new Client(
    { name: 'writer', version: '1' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  )
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  onTestFinished(() => client.close())
  return async (payload) => {
    await client.callTool({ name: 'MemoryWrite', arguments: { payload } })
  }
}

export interface Shown {
  page: Page
  /** What the page did that it should not: errors, dialogs, requests that its policy stopped. */
  misdeeds: string[]
}

export async function openPage(browser: Browser, url: string): Promise<Shown> {
  const context = await browser.newContext({ viewport: { width: 360, height: 740 } })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const misdeeds: string[] = []
  page.on('pageerror', (error) => misdeeds.push(`error: ${error.message}`))
  page.on('dialog', (dialog) => {
    misdeeds.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('console', (message) => {
    if (/Content Security Policy/.test(message.text())) misdeeds.push(message.text())
  })
  await page.goto(url)
  return { page, misdeeds }
}
