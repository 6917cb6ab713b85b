import type { Call, Operation } from '../../core/port/store.ts'
import { monotonicMs } from '../../util/monotonic.ts'
import { abortError, closedError } from '../turns.ts'
import { busyError } from '../write-queue.ts'
import type { Job, Outcome } from './batch.ts'
import { type CallStates, MAX_BATCH } from './call-state.ts'
import { lockedTooLong } from './database/errors.ts'
import type { Writer } from './writer.ts'

export interface WritesParts {
  writer: Writer
  /** Shared with the writer. */
  calls: CallStates
  /** How long a call may wait for the lock of another process. */
  lockWaitMs: number
  /** Aborted: no call waits for a lock any longer. */
  leaving?: AbortSignal | undefined
  now: () => number
}

/** An operation that waits for its turn, or whose turn it is. */
interface WaitingCall extends PromiseWithResolvers<unknown> {
  job: Job
  durable: boolean
  signal: AbortSignal | undefined
  /** By the clock of `waitedMs`. */
  deadline: number
}

/** Something else that the writer is to do, outside any transaction. */
interface WaitingCommand {
  command: () => Promise<void>
}

/** SQLite cannot be woken from its sleep: a write that waits for a lock looks this often whether it still may. */
const SLEEP_MS = 250

/**
 * Writes in the order they came: those that wait while others run are the next batch. Each has a deadline of its own, from the moment
 * it is called.
 */
export function createWrites({ writer, calls, lockWaitMs, leaving, now }: WritesParts) {
  const waiting: (WaitingCall | WaitingCommand)[] = []
  /** What the writer has. */
  let running: readonly WaitingCall[] = []
  let working: Promise<void> | undefined
  let isClosed = false
  /**
   * How long calls have waited for a lock so far, on a clock that nobody sets. What the calls before it have waited counts for a
   * call, but not how long they worked.
   */
  let waitedMs = 0
  /** Another process had the lock when the last batch was to begin. */
  let isLocked = false

  async function workOff(): Promise<void> {
    // What is asked for in one turn of the event loop is one batch.
    await new Promise((resolve) => setImmediate(resolve))
    let tellCallers = (): void => undefined
    while (waiting.length > 0) {
      const told = runNext()
      // Only now: the writer is at work again while they use their answers.
      tellCallers()
      tellCallers = await told
    }
    working = undefined
    tellCallers()
  }
  async function runNext(): Promise<() => void> {
    const batch = takeBatch()
    if (batch.length > 0) return runBatch(batch)
    const next = waiting.shift()
    if (next && 'command' in next) await next.command()
    return () => undefined
  }
  /** Nothing where a command comes first. */
  function takeBatch(): WaitingCall[] {
    const batch: WaitingCall[] = []
    for (const next of waiting) {
      if ('command' in next || batch.length === MAX_BATCH || (isAlone(next.job) && batch.length > 0)) break
      batch.push(next)
      if (isAlone(next.job)) break
    }
    waiting.splice(0, batch.length)
    return batch
  }
  async function runBatch(batch: readonly WaitingCall[]): Promise<() => void> {
    const since = monotonicMs()
    const outcomes = await outcomesOf(batch)
    isLocked = outcomes.length === 0
    if (isLocked) waitedMs += monotonicMs() - since
    const left = batch.filter((_, place) => place >= outcomes.length && !calls.isCancelled(place))
    const late = new Set(isLocked ? left.filter(isLate) : [])
    const gone = new Set(left.filter(({ signal }) => signal?.aborted))
    waiting.unshift(...left.filter((call) => !late.has(call) && !gone.has(call)))
    const answers = outcomes.map((outcome, place) =>
      calls.isCancelled(place) ? { error: abortError(batch[place]?.signal) } : outcome,
    )
    return () => {
      for (const [place, answer] of answers.entries()) settle(batch[place], answer)
      for (const call of gone) call.reject(abortError(call.signal))
      for (const call of late) call.reject(lockedTooLong())
    }
  }
  async function outcomesOf(batch: readonly WaitingCall[]): Promise<Outcome[]> {
    running = batch
    calls.reset()
    try {
      const jobs = batch.map(({ job }) => job)
      const durable = batch.some((call) => call.durable)
      return await writer.run(jobs, { durable, now: now(), waitMs: lockWaitOf(batch) })
    } catch (error) {
      return batch.map(() => ({ error }))
    } finally {
      running = []
    }
  }
  /** The first of a batch came first. */
  function lockWaitOf([first]: readonly WaitingCall[]): number {
    return isLocked && first ? Math.max(0, Math.min(SLEEP_MS, first.deadline - waitedMs)) : 0
  }
  function isLate({ deadline }: WaitingCall): boolean {
    return deadline <= waitedMs || leaving?.aborted === true
  }
  /** What has begun is undone where it still can be, and is settled then. */
  function abort(call: WaitingCall): void {
    const at = waiting.indexOf(call)
    if (at >= 0) waiting.splice(at, 1)
    const place = running.indexOf(call)
    const isUnbegun = at >= 0 || (place >= 0 && calls.cancel(place) === 'unbegun')
    if (isUnbegun) call.reject(abortError(call.signal))
  }
  function add(one: WaitingCall | WaitingCommand): void {
    waiting.push(one)
    working ??= workOff()
  }

  return {
    async write<I, O>(operation: Operation<I, O>, input: I, call: Call = {}): Promise<O> {
      const { wait = true, durable = true, signal, source, staged } = call
      if (isClosed) throw closedError()
      if (signal?.aborted) throw abortError(signal)
      if (!wait && working) throw busyError()
      const waiting: WaitingCall = {
        ...Promise.withResolvers<unknown>(),
        ...{ job: { operation, input, source, staged }, durable, signal },
        deadline: wait ? waitedMs + lockWaitMs : waitedMs,
      }
      const onAbort = (): void => abort(waiting)
      signal?.addEventListener('abort', onAbort, { once: true })
      add(waiting)
      try {
        return (await waiting.promise) as O
      } finally {
        signal?.removeEventListener('abort', onAbort)
      }
    },
    /** Takes its turn among the writes. */
    command<T>(work: () => Promise<T>): Promise<T> {
      if (isClosed) return Promise.reject(closedError())
      const done = Promise.withResolvers<T>()
      // Whatever goes wrong is the caller's: the writes behind it go on.
      add({
        async command() {
          try {
            done.resolve(await work())
          } catch (error) {
            done.reject(error)
          }
        },
      })
      return done.promise
    },
    /** Refuses what comes later and waits for what was added. */
    async close(): Promise<void> {
      isClosed = true
      await working
    },
  }
}

/** Whether it is a batch by itself. */
function isAlone({ source, staged }: Job): boolean {
  return source !== undefined || staged !== undefined
}

function settle(call: WaitingCall | undefined, answer: Outcome): void {
  if ('error' in answer) call?.reject(answer.error)
  else call?.resolve(answer.result)
}
