import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { onTestFinished } from 'vitest'
import { cleanEnvironment, PROGRAM } from './cli.ts'
import type { Revision } from './mcp.ts'

export interface Serving {
  /** Of the endpoint: `http://127.0.0.1:12345/mcp`. */
  url: string
  child: ChildProcess
  stdout(): string
  stderr(): string
  /** Resolves with all of stdout once `pattern` is in it; rejects when the process ends before. */
  untilStdout(pattern: RegExp): Promise<string>
  /** The code it ended with. */
  ended: Promise<number | null>
  /** Ends it, whatever it does. */
  kill(): Promise<void>
}

export interface ServeOptions {
  cwd: string
  /** After `remindb serve --transport http`. */
  args?: string[]
  env?: Record<string, string>
}

/** The program as a user starts it, once it can be reached, on a port of its own. Whoever starts it ends it. */
export async function startServing({
  cwd,
  args = ['--source', '.', '--listen', '127.0.0.1:0'],
  env = {},
}: ServeOptions): Promise<Serving> {
  const words = [PROGRAM, 'serve', '--transport', 'http', ...args]
  const child = spawn(process.execPath, words, { cwd, env: cleanEnvironment(env), stdio: 'pipe' })
  // Not `exit`: what it said last may not have been read by then.
  const ended = once(child, 'close').then(([code]) => code as number | null)
  const stderr = gather(child.stderr)
  const stdout = gather(child.stdout)
  const untilStdout = (pattern: RegExp) =>
    new Promise<string>((resolve, reject) => {
      stdout.watch((text) => pattern.test(text) && resolve(text))
      void ended.then((code) => reject(new Error(`ended with ${code}: ${stderr.text()}`)))
    })
  const said = await untilStdout(/ at https?:\S+\/mcp\n/)
  return {
    url: said.match(/ at (https?:\S+\/mcp)\n/)?.[1] ?? '',
    child,
    stdout: stdout.text,
    stderr: stderr.text,
    untilStdout,
    ended,
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** As `startServing`, ended when the test is over. */
export async function serve(options: ServeOptions): Promise<Serving> {
  const serving = await startServing(options)
  onTestFinished(serving.kill)
  return serving
}

function gather(stream: NodeJS.ReadableStream) {
  let text = ''
  const watchers: ((text: string) => void)[] = []
  stream.setEncoding('utf8')
  stream.on('data', (piece) => {
    text += piece
    for (const watch of watchers) watch(text)
  })
  return {
    text: () => text,
    watch(watcher: (text: string) => void): void {
      watchers.push(watcher)
      watcher(text)
    },
  }
}

export interface HttpClient {
  client: Client
  transport: StreamableHTTPClientTransport
  /** Resolves when a client of the old era has the stream on which it is told of changes. */
  streamOpened: Promise<void>
  /** The text of a tool's answer. */
  call(name: string, args?: Record<string, unknown>): Promise<string>
  /** The envelope of a resource. */
  // biome-ignore lint/suspicious/noExplicitAny: what is read is what others parse, untyped
  read(uri: string): Promise<any>
}

/** The official client over HTTP. */
export async function connectHttp(
  url: string,
  revision: Revision,
  name: string,
  fetchIt: (url: string | URL, init?: RequestInit) => Promise<Response> = fetch,
): Promise<HttpClient> {
  const streamOpened = Promise.withResolvers<void>()
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    async fetch(asked, init) {
      const response = await fetchIt(asked, init)
      if (init?.method === 'GET' && response.ok) streamOpened.resolve()
      return response
    },
  })
  const client = new Client(
    { name, version: '1.2.3' },
    revision === '2026-07-28' ? { versionNegotiation: { mode: { pin: revision } } } : {},
  )
  await client.connect(transport)
  onTestFinished(() => client.close())
  return {
    client,
    transport,
    streamOpened: streamOpened.promise,
    async call(tool, input = {}) {
      const { content } = await client.callTool({ name: tool, arguments: input })
      return (content as { text: string }[])[0]?.text ?? ''
    },
    async read(uri) {
      const { contents } = await client.readResource({ uri })
      return JSON.parse((contents as { text: string }[])[0]?.text ?? '')
    },
  }
}
