import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join, resolve } from 'node:path'
import { percentile } from '../../eval/metrics.ts'
import { timed } from '../engine/timing.ts'
import { httpServerOf, type Started, startServer } from './http.ts'

const VALUES = 6
const VALUE_BYTES = 8_000_000
const IDLE_RECALLS = 300
/** One is asked for as often as this, however long others take: whoever waits for all of them would ask less of a server that stands still. */
const EVERY_MS = 10
const CHECKOUT = join(import.meta.dirname, '..', '..')
const WRITER = join(import.meta.dirname, 'large-writer.ts')

export interface LargeWrites {
  program: string
  values: number
  valueBytes: number
  /** Until a value was stored: mean. */
  writeMs: number
  recalls: number
  idleP99Ms: number
  busyP50Ms: number
  busyP99Ms: number
  busyMaxMs: number
}

/** How long a short value takes to be recalled while another client stores Markdown values of 8 MB. `against`: also by a checkout that is built. */
export async function measureLargeWrites(folder: string, against?: string): Promise<LargeWrites[]> {
  const ours = await measure('remindb', CHECKOUT, join(folder, 'large.db'))
  if (against === undefined) return [ours]
  return [ours, await measure(`of ${against}`, resolve(against), join(folder, 'large-other.db'))]
}

async function measure(program: string, checkout: string, db: string): Promise<LargeWrites> {
  const [, ...args] = httpServerOf(db)
  const server = await startServer([join(checkout, 'bin', 'remindb'), ...args, '--tools', 'keys'])
  try {
    await server.client.call('tools/call', {
      name: 'remember',
      arguments: { key: 'short', value: 'A short value.' },
    })
    await recalls(server, countdown(IDLE_RECALLS))
    const idle = await recalls(server, countdown(IDLE_RECALLS))
    const child = spawn(process.execPath, [WRITER, server.url, String(VALUES), String(VALUE_BYTES)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    // It has made its values.
    await once(child.stdout, 'data')
    let isWriting = true
    const writing = timed(() => once(child, 'exit')).finally(() => {
      isWriting = false
    })
    const busy = await recalls(server, () => isWriting)
    return {
      ...{ program, values: VALUES, valueBytes: VALUE_BYTES, writeMs: (await writing) / VALUES },
      ...{ recalls: busy.length, idleP99Ms: percentile(idle, 0.99) },
      ...{ busyP50Ms: percentile(busy, 0.5), busyP99Ms: percentile(busy, 0.99) },
      busyMaxMs: Math.max(...busy),
    }
  } finally {
    await server.close()
  }
}

function countdown(count: number): () => boolean {
  let left = count
  return () => left-- > 0
}

/** One at each interval while `goesOn`; the time that each took. */
async function recalls({ client }: Started, goesOn: () => boolean): Promise<number[]> {
  const times: Promise<number>[] = []
  const recall = () => client.call('tools/call', { name: 'recall', arguments: { key: 'short' } })
  while (goesOn()) {
    times.push(timed(recall))
    await new Promise((next) => setTimeout(next, EVERY_MS))
  }
  return Promise.all(times)
}
