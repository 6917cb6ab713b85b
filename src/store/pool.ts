import { abortError, closedError } from './call-errors.ts'

interface PoolParts<T> {
  open(): T
  close(one: T): void | Promise<void>
  limit: number
  /** An outdated one is replaced before its next use. */
  isOutdated?(one: T): boolean
  /** One that is not used for this long is closed. Default: it stays open. */
  idleMs?: number
}

interface Slot<T> {
  opened?: T | undefined
  closed?: void | Promise<void>
  idle?: NodeJS.Timeout
}

/** Things that are opened as needed and used by one call at a time. Where all are in use, calls wait in the order they came. */
export function createPool<T>({ open, close, limit, isOutdated = () => false, idleMs }: PoolParts<T>) {
  const slots = Array.from({ length: limit }, (): Slot<T> => ({}))
  // Last in, first out: the others can become idle.
  const free = [...slots]
  const waiting: ((slot: Slot<T>) => void)[] = []
  let closing: Promise<void> | undefined

  /** Returns a promise only if none is free. */
  function take(signal?: AbortSignal): Slot<T> | Promise<Slot<T>> {
    return (
      free.pop() ??
      new Promise((resolve, reject) => {
        const start = (slot: Slot<T>): void => {
          signal?.removeEventListener('abort', drop)
          resolve(slot)
        }
        const drop = (): void => {
          waiting.splice(waiting.indexOf(start), 1)
          reject(abortError(signal))
        }
        signal?.addEventListener('abort', drop, { once: true })
        waiting.push(start)
      })
    )
  }
  function giveBack(slot: Slot<T>): void {
    if (idleMs !== undefined) slot.idle = setTimeout(() => empty(slot), idleMs).unref()
    const next = waiting.shift()
    if (next) next(slot)
    else free.push(slot)
  }
  function empty(slot: Slot<T>): void {
    clearTimeout(slot.idle)
    const { opened } = slot
    slot.opened = undefined
    if (opened !== undefined) slot.closed = close(opened)
  }
  function openedIn(slot: Slot<T>): T {
    clearTimeout(slot.idle)
    if (slot.opened !== undefined && isOutdated(slot.opened)) empty(slot)
    slot.opened ??= open()
    return slot.opened
  }
  async function closeAll(): Promise<void> {
    for (let closed = 0; closed < limit; closed++) empty(await take())
    await Promise.all(slots.map(({ closed }) => closed))
  }

  return {
    /** A call that is aborted while it waits fails with the signal's reason. */
    async use<R>(work: (one: T) => Promise<R>, signal?: AbortSignal): Promise<R> {
      if (closing) throw closedError()
      if (signal?.aborted) throw abortError(signal)
      const taken = take(signal)
      const slot = taken instanceof Promise ? await taken : taken
      try {
        return await work(openedIn(slot))
      } finally {
        giveBack(slot)
      }
    },
    /** Refuses what comes later and waits for what is running or waiting. */
    close(): Promise<void> {
      closing ??= closeAll()
      return closing
    },
  }
}
