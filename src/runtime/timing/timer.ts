/** Calls `work` once after `ms`; the answer takes that back. Tests give one that does not wait. */
export type SetTimer = (work: () => void, ms: number) => () => void

/** Whoever does something at an interval looks as often whether the interval was changed meanwhile. */
export const CHECK_MS = 30_000

/** Node waits 1 ms instead of anything longer. */
const LONGEST_MS = 2 ** 31 - 1

/** The process stays until it has fired: for what must not be lost. */
export const setTimer: SetTimer = (work, ms) => start(work, ms, (timer) => timer.ref())

/** The process may end before: for what can wait until the next one. */
export const setIdleTimer: SetTimer = (work, ms) => start(work, ms, (timer) => timer.unref())

function start(work: () => void, ms: number, hold: (timer: NodeJS.Timeout) => void): () => void {
  let timer: NodeJS.Timeout
  const wait = (leftMs: number): void => {
    const onward = leftMs > LONGEST_MS ? () => wait(leftMs - LONGEST_MS) : work
    timer = setTimeout(onward, Math.min(leftMs, LONGEST_MS))
    hold(timer)
  }
  wait(ms)
  return () => clearTimeout(timer)
}

/** Does `work` now, and again each time `waitMs` has passed since it was done. `work` never fails. `stop` waits for its end. */
export function startLoop(
  work: () => Promise<void>,
  { waitMs, setTimer }: { waitMs: () => number; setTimer: SetTimer },
): { stop(): Promise<void> } {
  let isStopped = false
  let cancel: () => void = () => undefined
  async function run(): Promise<void> {
    await work()
    if (!isStopped) cancel = setTimer(begin, waitMs())
  }
  function begin(): void {
    running = run()
  }
  let running = run()
  return {
    async stop() {
      isStopped = true
      cancel()
      await running
    },
  }
}

/** Waits for `work`, but not longer than `ms`. */
export async function atMost(ms: number, work: Promise<void>): Promise<void> {
  const late = Promise.withResolvers<void>()
  const cancel = setIdleTimer(late.resolve, ms)
  await Promise.race([work, late.promise])
  cancel()
}
