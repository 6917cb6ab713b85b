import { join } from 'node:path'
import { median } from '../engine/timing.ts'
import { INITIALIZE, type LineClient, startClient } from './line-client.ts'

const RUNS = 20
const PROGRAM = join(import.meta.dirname, '..', '..', 'bin', 'remindb')
const ECHO = join(import.meta.dirname, 'echo.mjs')

export interface Starts {
  echoMs: number
  firstAnswerMs: number
  /** From spawn to the answer of a search, asked at once. */
  firstSearchMs: number
}

export const serverOf = (notes: string): string[] => [PROGRAM, 'serve', '--source', notes]

/** From spawn to the first answer, in turns with an echo, so that a slow moment of the machine meets both. */
export async function measureStarts(notes: string): Promise<Starts> {
  const echo: number[] = []
  const answers: number[] = []
  const searches: number[] = []
  // The first one fills caches that every later one has.
  for (let run = -1; run < RUNS; run++) {
    const floor = await start([ECHO])
    const ours = await start(serverOf(notes), (client) =>
      client.request('tools/call', { name: 'MemorySearch', arguments: { query: 'anything' } }),
    )
    if (run < 0) continue
    echo.push(floor.firstMs)
    answers.push(ours.firstMs)
    searches.push(ours.lastMs)
  }
  return { echoMs: median(echo), firstAnswerMs: median(answers), firstSearchMs: median(searches) }
}

async function start(args: string[], then: (client: LineClient) => Promise<unknown> = async () => undefined) {
  const begin = performance.now()
  const client = startClient(args)
  await client.request('initialize', INITIALIZE)
  const firstMs = performance.now() - begin
  await then(client)
  const lastMs = performance.now() - begin
  await client.close()
  return { firstMs, lastMs }
}
