import { percentile } from '../../eval/metrics.ts'
import { createRandom, words } from '../engine/corpus.ts'
import { timed } from '../engine/timing.ts'
import type { Figures, Plan, Times } from './figures.ts'

/** One way to have many memories open. */
export interface Side<S> {
  open(space: number): Promise<S> | S
  search(space: S, query: string): unknown
  write(space: S, note: string): unknown
  /** Finishes what goes on in the background, then watches for changes. Returns how to stop. */
  watch(space: S): Promise<() => void> | (() => void)
  close(space: S): Promise<void> | void
}

/** How many calls are on the way at once where it is busy. */
const BUSY = 8
/** How long to look at a process in which nothing happens. */
const IDLE_MS = 3000

export async function measure<S>(plan: Plan, side: Side<S>): Promise<Figures> {
  const drawn = drawSpaces(plan)
  const random = createRandom(plan.spaces)
  const search = (space: S) => side.search(space, words(random, 2))
  const write = (space: S) =>
    side.write(space, `# ${words(random, 4)}\n\n${words(random, 30)}.\n\n${words(random, 30)}.`)
  const times: Lists = {
    ...{ open: [], openAndSearch: [], churnedOpen: [] },
    ...{ write: [], search: [], busyWrite: [], busySearch: [] },
  }
  async function open(space: number, opens: number[]): Promise<S> {
    const start = performance.now()
    const opened = await side.open(space)
    opens.push(performance.now() - start)
    return opened
  }

  // Loads what is loaded once.
  const first = await side.open(drawn.at(-1) ?? 0)
  await Promise.all([search(first), write(first)])
  await side.close(first)
  const startBytes = process.memoryUsage.rss()

  const active: S[] = []
  for (const space of drawn.slice(0, plan.active)) {
    const opened = await open(space, times.open)
    times.openAndSearch.push((times.open.at(-1) ?? 0) + (await timed(() => search(opened))))
    active.push(opened)
  }
  for (let round = 0; round < plan.rounds; round++) {
    times.write.push(...(await forEach(active, write)))
    times.search.push(...(await forEach(active, search)))
    times.busyWrite.push(...(await forEach(active, write, BUSY)))
    times.busySearch.push(...(await forEach(active, search, BUSY)))
  }
  const activeBytes = process.memoryUsage.rss()
  const idlePercent = await watchIdly(active, side)

  for (const space of drawn.slice(plan.active)) {
    const oldest = active.shift()
    if (oldest !== undefined) await side.close(oldest)
    const opened = await open(space, times.churnedOpen)
    await Promise.all([search(opened), write(opened)])
    active.push(opened)
  }
  const churnedBytes = process.memoryUsage.rss()
  await Promise.all(active.map((space) => side.close(space)))
  return { startBytes, activeBytes, churnedBytes, peakBytes: peakMemory(), idlePercent, ...allTimes(times) }
}

type TimeName = { [K in keyof Figures]: Figures[K] extends Times ? K : never }[keyof Figures]
type Lists = Record<TimeName, number[]>

function allTimes(lists: Lists): Record<TimeName, Times> {
  const named = Object.entries(lists).map(([name, values]) => [
    name,
    { p50Ms: percentile(values, 0.5), p99Ms: percentile(values, 0.99) },
  ])
  return Object.fromEntries(named)
}

/** Those that are opened, in an order that is the same every time and not that of the disk. */
export function drawSpaces({ spaces, active, churn }: Pick<Plan, 'spaces' | 'active' | 'churn'>): number[] {
  const random = createRandom(spaces)
  const all = Array.from({ length: spaces }, (_, space) => ({ space, order: random() }))
  const drawn = all.sort((one, other) => one.order - other.order).slice(0, active + churn)
  return drawn.map(({ space }) => space)
}

/** Makes one call for each, so many at a time, and gives how long each took. */
async function forEach<S>(spaces: readonly S[], call: (space: S) => unknown, atOnce = 1): Promise<number[]> {
  const left = spaces.toReversed()
  const times: number[] = []
  async function work(): Promise<void> {
    for (let space = left.pop(); space !== undefined; space = left.pop()) {
      const called = space
      times.push(await timed(() => call(called)))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return times
}

/** Of one core, while all are watched and nothing happens. */
async function watchIdly<S>(spaces: readonly S[], { watch }: Side<S>): Promise<number> {
  const stops = await Promise.all(spaces.map(watch))
  const before = process.cpuUsage()
  await new Promise((resolve) => setTimeout(resolve, IDLE_MS))
  const { user, system } = process.cpuUsage(before)
  for (const stop of stops) stop()
  return (100 * (user + system)) / 1000 / IDLE_MS
}

function peakMemory(): number {
  return process.resourceUsage().maxRSS * 1024
}
