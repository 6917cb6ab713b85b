import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'

/** The least client there is: lines of JSON, one request at a time. What it takes is the server's time. */
export interface LineClient {
  request(method: string, params?: object): Promise<Record<string, unknown>>
  /** What all threads of the server took of the processor so far; null where the system does not say. */
  cpuMs(): number | null
  close(): Promise<void>
}

export const INITIALIZE = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'bench', version: '1' },
}

export function startClient(args: string[], env: Record<string, string> = {}): LineClient {
  const child: ChildProcess = spawn(process.execPath, args, {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { ...process.env, ...env },
  })
  const waiting = new Map<number, (message: Record<string, unknown>) => void>()
  let id = 0
  let rest = ''
  child.stdout?.setEncoding('utf8').on('data', (piece: string) => {
    const lines = (rest + piece).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) take(JSON.parse(line))
  })
  function take(message: Record<string, unknown>): void {
    const answer = waiting.get(message.id as number)
    waiting.delete(message.id as number)
    answer?.(message)
  }
  return {
    request(method, params = {}) {
      const answered = new Promise<Record<string, unknown>>((resolve) => waiting.set(++id, resolve))
      child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
      return answered
    },
    cpuMs: () => (process.platform === 'linux' ? processorTime(child.pid) : null),
    async close() {
      const ended = once(child, 'exit')
      child.stdin?.end()
      await ended
    },
  }
}

function processorTime(pid: number | undefined): number {
  const threads = readdirSync(`/proc/${pid}/task`)
  const times = threads.map((thread) => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8'))
  return times.reduce((sum, line) => sum + Number.parseInt(line, 10), 0) / 1e6
}
