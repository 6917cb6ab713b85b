import { abortError, busyError, closedError } from './call-errors.ts'

/** What became of a call. */
export type Outcome = { result: unknown } | { error: unknown }

/** A call that waits for its turn, or whose turn it is. */
export interface QueuedCall<W> {
  work: W
  signal: AbortSignal | undefined
}

interface WaitingCall<W> extends QueuedCall<W>, PromiseWithResolvers<unknown> {}

interface QueueParts<W> {
  /** Runs calls; the outcomes are in their order, and undefined where a call has to wait again. */
  run(batch: readonly QueuedCall<W>[]): Promise<readonly (Outcome | undefined)[]>
  /** Whether a call runs together with those before it. Default: each runs alone. */
  joins?(batch: readonly QueuedCall<W>[], next: W): boolean
  /** A call of the batch that runs was aborted. True: it has not begun, and never will. */
  cancel?(place: number): boolean
}

/** Runs calls in the order they arrive; those that wait may form the next batch. A call that is aborted before its turn never begins. */
export function createWriteQueue<W>({ run, joins = () => false, cancel = () => false }: QueueParts<W>) {
  const waiting: WaitingCall<W>[] = []
  let running: readonly WaitingCall<W>[] = []
  let working: Promise<void> | undefined
  let isClosed = false

  async function workOff(): Promise<void> {
    // Calls made in one turn of the event loop form one batch.
    await new Promise((resolve) => setImmediate(resolve))
    let answerCallers = (): void => undefined
    while (waiting.length > 0) {
      const ran = runNext()
      // Only now, so that the next batch runs while callers use their answers.
      answerCallers()
      answerCallers = await ran
    }
    working = undefined
    answerCallers()
  }
  async function runNext(): Promise<() => void> {
    const batch = takeBatch()
    running = batch
    const outcomes = await run(batch).catch((error) => batch.map(() => ({ error })))
    running = []
    waiting.unshift(...batch.filter(({ signal }, place) => !outcomes[place] && !signal?.aborted))
    return () => {
      for (const [place, call] of batch.entries()) settle(call, outcomes[place])
    }
  }
  function takeBatch(): WaitingCall<W>[] {
    const batch = waiting.splice(0, 1)
    while (waiting[0] && joins(batch, waiting[0].work)) batch.push(...waiting.splice(0, 1))
    return batch
  }
  function settle(call: WaitingCall<W>, outcome: Outcome | undefined): void {
    if (outcome && 'result' in outcome) call.resolve(outcome.result)
    else if (outcome) call.reject(outcome.error)
    else if (call.signal?.aborted) call.reject(abortError(call.signal))
  }
  /** A call that has begun is undone if possible, and settled with its batch. */
  function abort(call: WaitingCall<W>): void {
    const at = waiting.indexOf(call)
    if (at >= 0) waiting.splice(at, 1)
    const place = running.indexOf(call)
    if (at >= 0 || (place >= 0 && cancel(place))) call.reject(abortError(call.signal))
  }

  return {
    /** With `wait: false` it is refused where anything else is running or waiting. */
    async add<T>(work: W, { signal, wait = true }: AddOptions = {}): Promise<T> {
      if (isClosed) throw closedError()
      if (signal?.aborted) throw abortError(signal)
      if (!wait && working) throw busyError()
      const call = { ...Promise.withResolvers<unknown>(), work, signal }
      const onAbort = (): void => abort(call)
      signal?.addEventListener('abort', onAbort, { once: true })
      waiting.push(call)
      working ??= workOff()
      try {
        return (await call.promise) as T
      } finally {
        signal?.removeEventListener('abort', onAbort)
      }
    },
    /** Refuses what comes later and waits for what was added. */
    async close(): Promise<void> {
      isClosed = true
      await working
    },
  }
}

interface AddOptions {
  signal?: AbortSignal | undefined
  wait?: boolean | undefined
}

/** A queue of functions that run one after the other. */
export function createTurns() {
  return createWriteQueue<() => Promise<unknown>>({
    run: async ([call]) => [{ result: await call?.work() }],
  })
}
