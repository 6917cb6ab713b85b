import { join } from 'node:path'
import { endGroup, start } from './processes.ts'
import type { ServerEntry } from './programs/program.ts'
import type { Transport } from './scenarios.ts'
import { tapHttp } from './tap/http.ts'

const REMINDB = join(import.meta.dirname, '..', 'bin', 'remindb')
const STDIO_TAP = join(import.meta.dirname, 'tap', 'stdio.ts')

export interface ServerOptions {
  transport: Transport
  /** After `remindb serve`. */
  args: string[]
  /** For its log; also its working directory. */
  folder: string
  /** Gets every message that passes between program and server. */
  tap: string
  env: Record<string, string>
}

export interface TappedServer extends AsyncDisposable {
  /** What the program is configured with. */
  entry: ServerEntry
}

/** Over stdio the program starts the server itself, behind the tap. */
export async function prepareServer(options: ServerOptions): Promise<TappedServer> {
  const serve = [REMINDB, 'serve', ...options.args]
  if (options.transport === 'http') return startOverHttp(serve, options)
  const args = [STDIO_TAP, options.tap, process.execPath, ...serve]
  return { entry: { kind: 'stdio', command: process.execPath, args }, async [Symbol.asyncDispose]() {} }
}

async function startOverHttp(serve: string[], { folder, tap, env }: ServerOptions): Promise<TappedServer> {
  const args = [...serve, '--transport', 'http', '--listen', '127.0.0.1:0']
  const log = join(folder, 'server.log')
  // Its home is not the program's, whose processes are ended first.
  const own = { ...env, HOME: join(folder, 'server-home') }
  const child = start({ command: process.execPath, args, cwd: folder, env: own, log })
  const target = await new Promise<string>((resolve, reject) => {
    let said = ''
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      said += text
      const [, url] = / at (http:\S+)\/mcp\n/.exec(said) ?? []
      if (url) resolve(url)
    })
    child.on('close', () => reject(new Error(`remindb did not start: ${said}`)))
  })
  const proxy = await tapHttp(target, tap)
  return {
    entry: { kind: 'http', url: `${proxy.url}/mcp` },
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]()
      await endGroup(child)
    },
  }
}
