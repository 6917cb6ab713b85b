/** Milliseconds on a clock that is never set, the same for every thread of the process. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6
}
