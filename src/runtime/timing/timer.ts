/** Calls `work` once after `ms`; the answer takes that back. Tests give one that does not wait. */
export type SetTimer = (work: () => void, ms: number) => () => void

/** A periodic task checks this often whether its interval was changed. */
export const CHECK_MS = 30_000

/** Node waits 1 ms instead of anything longer. */
const LONGEST_MS = 2 ** 31 - 1

/** Keeps the process alive until it has fired: for work that must not be lost. */
export const setTimer: SetTimer = (work, ms) => start(work, ms, (timer) => timer.ref())

/** The process may end before: for work that can wait until the next start. */
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

/** Runs `work` now, and again `waitMs` after each run. `work` never fails. `stop` waits for the current run. */
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
