import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { onTestFinished } from 'vitest'
import { cleanEnvironment, PROGRAM, temporaryFolder } from './cli.ts'
import { unprivileged } from './unprivileged.ts'

export const ERAS = ['2025-11-25', '2026-07-28'] as const
export type Revision = (typeof ERAS)[number]

export interface ConnectOptions {
  /** After `remindb serve`. */
  args: string[]
  revision?: Revision
  name?: string
  cwd?: string
  env?: Record<string, string>
  /** Without root's right to ignore permissions. */
  unprivileged?: boolean
}

export interface Connected {
  client: Client
  /** What it wrote to stderr so far. */
  stderr(): string
  pid: number
  /** The text of a tool's answer. */
  call(name: string, args?: Record<string, unknown>): Promise<string>
  /** The JSON that the text of an answer is. */
  json(name: string, args?: Record<string, unknown>): Promise<Record<string, unknown>>
  /** The envelope of a resource. */
  read(uri: string): Promise<Record<string, unknown>>
  close(): Promise<void>
}

/** The official client, connected to the program as a user starts it. */
export async function connect(options: ConnectOptions): Promise<Connected> {
  const { args, revision = '2025-11-25', name = 'test-client', cwd, env = {} } = options
  const line = [PROGRAM, 'serve', ...args]
  const [command, given] = options.unprivileged
    ? unprivileged(process.execPath, line)
    : [process.execPath, line]
  const transport = new StdioClientTransport({
    command,
    args: given,
    env: cleanEnvironment(env) as Record<string, string>,
    stderr: 'pipe',
    ...(cwd === undefined ? {} : { cwd }),
  })
  let errors = ''
  transport.stderr?.on('data', (piece) => {
    errors += piece
  })
  const isModern = revision === '2026-07-28'
  const client = new Client(
    { name, title: 'A client of tests', version: '1.2.3' },
    isModern ? { versionNegotiation: { mode: { pin: revision } } } : {},
  )
  await client.connect(transport)
  onTestFinished(() => client.close())
  async function call(tool: string, input: Record<string, unknown> = {}): Promise<string> {
    return textOf(await client.callTool({ name: tool, arguments: input }))
  }
  return {
    client,
    stderr: () => errors,
    pid: transport.pid ?? 0,
    call,
    json: async (tool, input) => JSON.parse(await call(tool, input)),
    async read(uri) {
      const { contents } = await client.readResource({ uri })
      return JSON.parse((contents as { text: string }[])[0]?.text ?? '')
    },
    close: () => client.close(),
  }
}

/** The text of an answer. */
export function textOf({ content }: { content?: unknown }): string {
  return (content as { text: string }[])[0]?.text ?? ''
}

/** The id of the node that an answer of `MemoryWrite` names. */
export function writtenId(text: string): string {
  return /^wrote node (\S+)/.exec(text)?.[1] ?? ''
}

/** The environment of a person whose own file has these settings. */
export function userSettings(config: object): { XDG_CONFIG_HOME: string } {
  return { XDG_CONFIG_HOME: noteFolder({ 'remindb/config.json': JSON.stringify(config) }) }
}

/** A folder of notes, gone after the test. */
export function noteFolder(files: Record<string, string>): string {
  const folder = temporaryFolder(files)
  onTestFinished(() => folder[Symbol.dispose]())
  return folder.path
}
