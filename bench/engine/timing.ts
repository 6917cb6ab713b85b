/** Milliseconds that `work` takes. */
export async function timed(work: () => unknown): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
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
