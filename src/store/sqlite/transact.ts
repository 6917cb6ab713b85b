import type { WriteOptions, WriteTx } from '../../core/port/store.ts'
import { later } from '../../util/later.ts'
import { translateError } from './errors.ts'
import type { AheadReader, ReadAhead } from './read-ahead.ts'
import { endedError } from './readers.ts'
import type { WriterClient } from './writer-client.ts'

/** Somebody else wrote after it was read here. */
const OUTDATED = Symbol('outdated')

/**
 * Runs writes in the writer's thread. Every answer from there is waited for, and that takes as long as the writing itself: what
 * a repeatable write asks before it changes anything is answered here, from a handle that reads. The writer begins only if
 * nobody else has written since; where somebody has, all is asked again, there.
 */
export function createTransactions(writer: WriterClient, ahead: AheadReader) {
  return async function transact<T>(
    fn: (tx: WriteTx) => Promise<T>,
    options: Required<WriteOptions>,
  ): Promise<T> {
    const done = await attempt(writer, fn, options, options.repeatable ? ahead.open() : undefined)
    return done === OUTDATED ? ((await attempt(writer, fn, options, undefined)) as T) : done
  }
}

async function attempt<T>(
  writer: WriterClient,
  fn: (tx: WriteTx) => Promise<T>,
  { wait, durable }: Required<WriteOptions>,
  ahead: ReadAhead | undefined,
): Promise<T | typeof OUTDATED> {
  // The thread does one thing after the other: the first question need not wait until it has begun.
  const begun = later(writer.call('begin', [{ wait, durable, unchanged: ahead !== undefined }]))
  // It takes its time to wake up.
  writer.sendAhead()
  const transaction = remoteTx(writer, ahead)
  try {
    if (!wait) await begun
    const result = await fn(transaction.tx)
    await transaction.end()
    return result
  } catch (error) {
    transaction.refuse()
    const [start, undoing] = await Promise.allSettled([begun, writer.call('rollback')])
    if (start.status === 'fulfilled' && start.value === false) return OUTDATED
    // What could not begin is why the rest failed.
    const first = start.status === 'rejected' ? start.reason : translateError(error)
    if (undoing.status === 'rejected') noteBehind(first, undoing.reason)
    throw first
  }
}

/** What failed first is what a caller sees; what failed in taking it back is told as its cause, where it has no other. */
function noteBehind(first: unknown, second: unknown): void {
  if (first instanceof Error && first.cause === undefined && Object.isExtensible(first)) first.cause = second
}

/** `tx` calls become messages to the writer's thread, in order. It refuses calls after the transaction's end. */
function remoteTx(writer: WriterClient, ahead: ReadAhead | undefined) {
  const inFlight = new Set<Promise<unknown>>()
  let ended = false
  let hasFailed = false
  function call(command: string, args: unknown[]): Promise<unknown> {
    if (ended) return Promise.reject(endedError())
    const answer = ahead?.ask(command, args) ?? writer.call(command, args)
    inFlight.add(answer)
    answer.then(
      () => inFlight.delete(answer),
      () => {
        hasFailed = true
      },
    )
    return answer
  }
  const tx = new Proxy({ send: writer.sendAhead } as WriteTx, {
    get: (own, name) => Reflect.get(own, name) ?? asCall(String(name)),
  })
  // `then` must stay absent: an object that has it is taken for a promise.
  function asCall(name: string) {
    return name === 'then' ? undefined : (...args: unknown[]) => call(name, args)
  }
  function refuse(): void {
    ended = true
    ahead?.end()
  }
  return {
    tx,
    refuse,
    /** Commits behind the calls that nobody awaited: a failed one fails the transaction. */
    async end(): Promise<void> {
      refuse()
      // The writer's thread does not know of a call that could not be sent to it.
      if (hasFailed) await Promise.all(inFlight)
      const committed = later(writer.call('commit'))
      await Promise.all(inFlight)
      await committed
    },
  }
}
