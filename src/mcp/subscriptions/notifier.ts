import { type BurstInput, createBurst } from './burst.ts'
import {
  CONCERNS,
  type Concern,
  isMemoryGroup,
  type MemoryGroup,
  type SubscribableName,
  uriOf,
} from './subscribable.ts'

export interface NotifierInput extends Pick<BurstInput, 'maxWaitMs' | 'setTimer' | 'now'> {
  /** By name: a burst of changes with pauses shorter than this is told once, when it is over. Milliseconds. */
  windows: Readonly<Record<Concern, number>>
  /** Tells the clients that subscribed. */
  send: (uri: string) => unknown
  /** Looks which `memory://` URIs of a group are others now, and tells of those. */
  check: (group: MemoryGroup) => unknown
  /** Told when `send` or `check` fails, now or later. */
  onError?: (error: unknown) => void
}

export interface Notifier {
  /** It changed. */
  touch(name: Concern): void
  /** Nothing is sent after this. */
  close(): void
}

/** Tells of changes after they happened: once for a burst, soon enough in a stream that never pauses, never none. */
export function createNotifier(input: NotifierInput): Notifier {
  const { windows, send, check, onError = () => undefined, ...timing } = input
  const tell = async (name: Concern): Promise<unknown> =>
    isMemoryGroup(name) ? check(name) : send(uriOf(name as SubscribableName))
  const bursts = new Map(
    CONCERNS.map((name) => [
      name,
      createBurst({ ...timing, windowMs: windows[name], fire: () => void tell(name).catch(onError) }),
    ]),
  )
  return {
    touch: (name) => bursts.get(name)?.touch(),
    close() {
      for (const burst of bursts.values()) burst.close()
      bursts.clear()
    },
  }
}
