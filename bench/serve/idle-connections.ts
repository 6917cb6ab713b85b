import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { timed } from '../engine/timing.ts'
import { httpServerOf, startServer } from './http.ts'

const CONNECTIONS = 10_000

export interface IdleConnections {
  connections: number
  /** Of them, those that were still open after half a minute without a request. */
  held: number
  /** Of another client meanwhile. */
  callMs: number
}

/** Whether ten thousand connections that ask nothing are held. The client is a process of its own. */
export async function measureIdleConnections(folder: string): Promise<IdleConnections> {
  const server = await startServer(httpServerOf(`${folder}/idle.db`))
  try {
    const script = join(import.meta.dirname, 'idle-client.ts')
    const child = spawn(process.execPath, [script, server.url, String(CONNECTIONS)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let text = ''
    child.stdout.setEncoding('utf8').on('data', (piece: string) => {
      text += piece
    })
    await once(child.stdout, 'data')
    const callMs = await timed(() => server.client.call('tools/call', { name: 'MemoryStats', arguments: {} }))
    await once(child, 'exit')
    const held = Number(text.trim().split('\n').at(-1))
    return { connections: CONNECTIONS, held, callMs }
  } finally {
    await server.close()
  }
}
