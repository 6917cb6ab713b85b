import { abortError, closedError } from './call-errors.ts'
import { createFairTurns } from './fair-turns.ts'

export interface PoolParts<T> {
  open(): T
  close(one: T): void | Promise<void>
  limit: number
  /** How many of them one client uses at once at most. Default: all. */
  limitPerClient?: number | undefined
  /** An outdated one is replaced before its next use. */
  isOutdated?(one: T): boolean
  /** One that is not used for this long is closed. Default: it stays open. */
  idleMs?: number | undefined
  /** Calls `work` once after `ms`, unless the process ends before; the answer takes that back. */
  setTimer?: ((work: () => void, ms: number) => () => void) | undefined
}

export interface UseOptions<T> {
  /** A call that is aborted while it waits fails with the signal's reason. */
  signal?: AbortSignal | undefined
  /** On whose behalf. Clients that wait take turns. */
  client?: object
  /** The free one with the highest rank is used. One that is to be opened has 0; without a rank, those that are open are used first. */
  rank?: (one: T) => number
}

interface Slot<T> {
  opened?: T | undefined
  closed?: void | Promise<void>
  cancelClose?: (() => void) | undefined
}

/** Things that are opened as needed and used by one call at a time. Where all are in use, calls wait. */
export function createPool<T>(parts: PoolParts<T>) {
  const { open, close, limit, limitPerClient, isOutdated = () => false, idleMs } = parts
  const { setTimer = setUnheldTimer } = parts
  const slots = Array.from({ length: limit }, (): Slot<T> => ({}))
  /** What was given back last is at the end. */
  const free = [...slots]
  const { take, giveBack } = createFairTurns({ limit, limitPerClient })
  /** How many are running or waiting. */
  let calls = 0
  const idle = Promise.withResolvers<void>()
  let closing: Promise<void> | undefined

  /** For who has a turn. Of those with the same rank, the one that was used last. */
  function takeSlot(rank: (one: T) => number = () => 1): Slot<T> {
    const ranks = free.map(({ opened }) => (opened === undefined ? 0 : rank(opened)))
    const [slot = {}] = free.splice(ranks.lastIndexOf(Math.max(...ranks)), 1)
    slot.cancelClose?.()
    return slot
  }
  function giveBackSlot(slot: Slot<T>): void {
    if (idleMs !== undefined) slot.cancelClose = setTimer(() => empty(slot), idleMs)
    free.push(slot)
  }
  function empty(slot: Slot<T>): void {
    const { opened } = slot
    slot.opened = undefined
    if (opened !== undefined) slot.closed = close(opened)
  }
  function openedIn(slot: Slot<T>): T {
    if (slot.opened !== undefined && isOutdated(slot.opened)) empty(slot)
    slot.opened ??= open()
    return slot.opened
  }
  async function closeAll(): Promise<void> {
    if (calls > 0) await idle.promise
    for (const slot of slots) {
      slot.cancelClose?.()
      empty(slot)
    }
    await Promise.all(slots.map(({ closed }) => closed))
  }
  async function useNext<R>(work: (one: T) => Promise<R>, options: UseOptions<T>): Promise<R> {
    const { signal, client = slots, rank } = options
    const turn = take(client, signal)
    if (turn) await turn
    const slot = takeSlot(rank)
    try {
      return await work(openedIn(slot))
    } finally {
      giveBackSlot(slot)
      giveBack(client)
    }
  }

  return {
    async use<R>(work: (one: T) => Promise<R>, options: UseOptions<T> = {}): Promise<R> {
      if (closing) throw closedError()
      if (options.signal?.aborted) throw abortError(options.signal)
      calls++
      try {
        return await useNext(work, options)
      } finally {
        calls--
        if (closing && calls === 0) idle.resolve()
      }
    },
    /** Those that are open, in use or not. */
    opened: (): T[] => slots.flatMap(({ opened }) => (opened === undefined ? [] : [opened])),
    /** Refuses what comes later and waits for what is running or waiting. */
    close(): Promise<void> {
      closing ??= closeAll()
      return closing
    },
  }
}

function setUnheldTimer(work: () => void, ms: number): () => void {
  const timer = setTimeout(work, ms).unref()
  return () => clearTimeout(timer)
}
