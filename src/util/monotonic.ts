/** Milliseconds on a monotonic clock, the same for every thread of the process. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6
}
