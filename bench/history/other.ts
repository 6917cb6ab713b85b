/** Writes to and searches a memory that another process prunes, until it is told to stop. */
import { setTimeout as wait } from 'node:timers/promises'
import { openMemory } from '../../src/index.ts'

export interface OthersFigures {
  write: Figures
  search: Figures
}

interface Figures {
  count: number
  medianMs: number
  longestMs: number
}

const [db = ''] = process.argv.slice(2)
const writes: number[] = []
const searches: number[] = []
let isStopped = false
process.on('message', () => {
  isStopped = true
})
const memory = await openMemory({ db, settings: { author: 'other' } })
const { id } = await memory.write({ payload: 'A note.' })
process.send?.(['ready'])
for (let count = 0; !isStopped; count++) {
  await measure(writes, () => memory.write({ anchor: id, payload: `A note, written ${count} times.` }))
  await measure(searches, () => memory.search({ query: 'agent build 4711', warm: false }))
  await wait(10)
}
await memory.close()
process.send?.(['figures', { write: figuresOf(writes), search: figuresOf(searches) }])
process.disconnect?.()

async function measure(times: number[], work: () => Promise<unknown>): Promise<void> {
  const started = performance.now()
  await work()
  times.push(performance.now() - started)
}

function figuresOf(times: number[]): Figures {
  const sorted = times.toSorted((one, other) => one - other)
  return {
    count: times.length,
    medianMs: sorted[Math.floor(sorted.length / 2)] ?? 0,
    longestMs: sorted.at(-1) ?? 0,
  }
}
