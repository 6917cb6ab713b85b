import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect, onTestFinished, test } from 'vitest'
import type { ServerEntry } from '../agents/programs/program.ts'
import { PROGRAMS } from '../agents/programs/programs.ts'
import { pageOf } from '../agents/report/page.ts'
import type { Report } from '../agents/report/report.ts'
import { prepareServer } from '../agents/server.ts'
import { readTraffic, type TapEntry } from '../agents/tap/traffic.ts'
import { cleanEnvironment } from './support/cli.ts'
import { ROOT } from './support/docs.ts'

const MAIN = join(ROOT, 'agents', 'main.ts')
const REMEDY = 'run npm run agents -- --write'
const readRoot = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const result: Report = JSON.parse(readRoot('agents/results.json'))

test('the page about agents shows the stored result', () => {
  expect(readRoot('docs/reference/agents.md'), REMEDY).toBe(pageOf(result))
})

test('the stored result is of the pinned versions', () => {
  const pinned = PROGRAMS.map(({ name, version }) => `${name}@${version}`)
  expect(
    result.programs.map(({ name, version }) => `${name}@${version}`),
    REMEDY,
  ).toEqual(pinned)
})

test('the stored result names no folder of a machine', () => {
  expect(readRoot('agents/results.json')).not.toMatch(/\/(?:tmp|home|root|work|Users)\//)
})

test.each([
  [['--help'], 0, /--use name@version/, /^$/],
  [['vim'], 2, /^$/, /unknown program vim; choose from claude-code, codex, /],
  [['--use', 'codex'], 2, /^$/, /--use takes a program and a version/],
  [['--scenario', 'unattended', '--transport', 'http'], 2, /^$/, /unattended is not measured over http/],
  [['codex', '--write'], 2, /^$/, /--write stores a whole measurement/],
])('npm run agents with %j exits with %i', (args, status, stdout, stderr) => {
  const ended = spawnSync(process.execPath, [MAIN, ...args], { encoding: 'utf8' })
  expect(ended.status).toBe(status)
  expect(ended.stdout).toMatch(stdout)
  expect(ended.stderr).toMatch(stderr)
})

const connectTo = (entry: ServerEntry) =>
  entry.kind === 'http'
    ? new StreamableHTTPClientTransport(new URL(entry.url))
    : new StdioClientTransport({ ...entry, env: cleanEnvironment({}) as Record<string, string> })

test.each(['stdio', 'http'] as const)(
  'the tap over %s passes on and notes what a server says',
  async (transport) => {
    const folder = mkdtempSync(join(tmpdir(), 'remindb-tap-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const tap = join(folder, 'mcp.jsonl')
    const args = ['--db', join(folder, 'memory.db')]
    const env = cleanEnvironment({}) as Record<string, string>
    await using server = await prepareServer({ transport, args, folder, tap, env })
    const client = new Client({ name: 'test-client', version: '1' })
    await client.connect(connectTo(server.entry))
    const { tools } = await client.listTools()
    const instructions = client.getInstructions()
    const answer = await client.callTool({ name: 'MemoryWrite', arguments: { payload: 'Tea at four.' } })
    await client.close()

    const lines = readFileSync(tap, 'utf8').split('\n').filter(Boolean)
    const traffic = readTraffic(lines.map((line) => JSON.parse(line) as TapEntry))
    expect(traffic.protocol).toBe('2025-11-25')
    expect(traffic.instructions).toBe(instructions)
    expect(traffic.tools.map(({ name }) => name)).toEqual(tools.map(({ name }) => name))
    const [{ text = '' } = {}] = answer.content as { text?: string }[]
    expect(traffic.calls).toMatchObject([{ tool: 'MemoryWrite', text, isError: false }])
    expect(existsSync(join(folder, 'memory.db'))).toBe(true)
  },
)
