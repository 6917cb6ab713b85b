/** Milliseconds that have passed. */
export type Clock = () => number

const wallClock: Clock = () => performance.now()

/** Milliseconds that all threads of this process had a core. Other processes on a busy machine do not add to it. */
export const processorClock: Clock = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Milliseconds that `work` takes. */
export async function timed(work: () => unknown, clock = wallClock): Promise<number> {
  const start = clock()
  await work()
  return clock() - start
}

/** The median of `count` runs. */
export async function medianOf(count: number, work: (at: number) => unknown): Promise<number> {
  const times: number[] = []
  for (let at = 0; at < count; at++) times.push(await timed(() => work(at)))
  return median(times)
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
