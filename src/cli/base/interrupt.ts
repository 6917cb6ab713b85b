import { InterruptedError } from './command.ts'

/**
 * Work that Ctrl-C or SIGTERM aborts cleanly through `signal`; the error then has the message of `outcome`. A second
 * signal ends the process immediately.
 */
export async function interruptible<T>(
  outcome: string,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const interrupt = new AbortController()
  const onSignal = (): void => interrupt.abort(new InterruptedError(`interrupted; ${outcome}`))
  process.once('SIGINT', onSignal)
  process.once('SIGTERM', onSignal)
  try {
    return await work(interrupt.signal)
  } finally {
    process.off('SIGINT', onSignal)
    process.off('SIGTERM', onSignal)
  }
}

/** The same pieces until the signal aborts, even while waiting for the next one. */
export async function* untilAborted<T>(source: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  const pieces = source[Symbol.asyncIterator]()
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  aborted.catch(() => undefined)
  for (;;) {
    signal.throwIfAborted()
    const next = await Promise.race([pieces.next(), aborted])
    if (next.done) return
    yield next.value
  }
}
