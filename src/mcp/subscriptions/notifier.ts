import { SUBSCRIBABLE, type SubscribableName, uriOf } from './subscribable.ts'

export interface NotifierInput {
  /** By name: a burst of changes with pauses shorter than this is told once, when it is over. Milliseconds. */
  windows: Readonly<Record<SubscribableName, number>>
  /** However long a burst, it is told after this time; a window that is longer counts instead. */
  maxWaitMs: number
  /** Calls `work` once after `ms`; the answer takes that back. */
  setTimer: (work: () => void, ms: number) => () => void
  /** Milliseconds of any clock. */
  now: () => number
  /** Tells the clients that subscribed. */
  send: (uri: string) => unknown
  /** Told when `send` fails, now or later. */
  onError?: (error: unknown) => void
}

export interface Notifier {
  /** It changed. */
  touch(name: SubscribableName): void
  /** Nothing is sent after this. */
  close(): void
}

/** Tells of changes after they happened: once for a burst, soon enough in a stream that never pauses, never none. */
export function createNotifier(input: NotifierInput): Notifier {
  const bursts = new Map(SUBSCRIBABLE.map((name) => [name, createBurst(input, name)]))
  return {
    touch: (name) => bursts.get(name)?.touch(),
    close() {
      for (const burst of bursts.values()) burst.close()
      bursts.clear()
    },
  }
}

function createBurst(input: NotifierInput, name: SubscribableName) {
  const { setTimer, now, send, onError = () => undefined } = input
  const windowMs = input.windows[name]
  const waitMs = Math.max(windowMs, input.maxWaitMs)
  let first = 0
  let last = 0
  let cancel: (() => void) | undefined

  function fire(): void {
    const at = now()
    const remainingMs = Math.min(last + windowMs, first + waitMs) - at
    // A clock that was set back must not make it wait until it is that late again.
    if (remainingMs > 0 && at >= last) {
      cancel = setTimer(fire, remainingMs)
      return
    }
    cancel = undefined
    void (async () => send(uriOf(name)))().catch(onError)
  }

  return {
    touch(): void {
      last = now()
      // One timer for a burst: it looks when it fires whether there was more meanwhile.
      if (cancel) {
        first = Math.min(first, last)
        return
      }
      first = last
      cancel = setTimer(fire, windowMs)
    },
    close(): void {
      cancel?.()
      cancel = undefined
    },
  }
}
