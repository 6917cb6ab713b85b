import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { percentile } from '../../eval/metrics.ts'
import { timed } from '../engine/timing.ts'
import { httpServerOf, type Started, startServer } from './http.ts'

const FILES = 10_000
const IDLE_SEARCHES = 600
const WORDS = ['harbour', 'ledger', 'quarter', 'signal', 'winter', 'bridge', 'copper', 'meadow']

export interface DuringCompile {
  files: number
  idleP99Ms: number
  busyP99Ms: number
  busySearches: number
  compileMs: number
  ratio: number
}

/** How long a search takes while 10,000 files are compiled, against how long it takes when nothing else happens. */
export async function measureDuringCompile(notes: string): Promise<DuringCompile> {
  const server = await startServer(httpServerOf(notes))
  try {
    await searches(server, 100)
    const idle = await searches(server, IDLE_SEARCHES)
    writeFiles(join(notes, 'arrived'))
    let isCompiling = true
    const compiling = timed(() =>
      server.client.call('tools/call', {
        name: 'MemoryCompile',
        arguments: { path: join(notes, 'arrived') },
      }),
    ).finally(() => {
      isCompiling = false
    })
    const busy: number[] = []
    while (isCompiling) busy.push(...(await searches(server, 10)))
    const [idleP99Ms, busyP99Ms] = [percentile(idle, 0.99), percentile(busy, 0.99)]
    const compileMs = await compiling
    return {
      files: FILES,
      idleP99Ms,
      busyP99Ms,
      busySearches: busy.length,
      compileMs,
      ratio: busyP99Ms / idleP99Ms,
    }
  } finally {
    await server.close()
  }
}

async function searches({ client }: Started, count: number): Promise<number[]> {
  const times: number[] = []
  for (let at = 0; at < count; at++) {
    const query = `${WORDS[at % WORDS.length]} ${WORDS[(at * 3 + 1) % WORDS.length]}`
    times.push(await timed(() => client.call('tools/call', { name: 'MemorySearch', arguments: { query } })))
  }
  return times
}

function writeFiles(folder: string): void {
  for (let at = 0; at < FILES; at++) {
    const sub = join(folder, String(at % 100))
    if (at < 100) mkdirSync(sub, { recursive: true })
    const words = WORDS.map((word, place) => `${word} ${at * place}`).join(', ')
    writeFileSync(join(sub, `${at}.md`), `# Arrival ${at}\n\n${words}.\n\n- one ${at}\n- two ${at}\n`)
  }
}
