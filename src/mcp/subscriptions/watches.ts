import { findMemoryGroup, type MemoryGroup } from './subscribable.ts'

/**
 * What the clients of this process want to hear of by the URI: there are too many keys to tell of each. A change of the kind
 * is followed by a look at the URIs that somebody holds, and those whose stamp differs are told.
 */
export interface Watches {
  /** Whether one more can be held. */
  hasRoom(uri: string): boolean
  /** One more client holds it. Resolves when it is known what it is at the moment: every later change is told. */
  add(uri: string): Promise<void>
  /** One client less: to be called as often as `add`. */
  remove(uri: string): void
  /** Something of this kind may have changed. Looks never overlap: one that comes meanwhile follows once. */
  check(group: MemoryGroup): Promise<void>
  size(): number
}

export interface WatchesParts {
  /** As `stamp` of a resource; undefined where it has none, and every look is told. */
  stampOf: (uri: string) => Promise<string | undefined>
  tell: (uri: string) => void
}

interface Watch {
  group: MemoryGroup
  holders: number
  /** As it was last looked at. */
  stamp: string | undefined
  ready: Promise<void>
}

/** Of all clients together: whoever wants more would be better off with the index. */
const MAX_WATCHED = 50_000
const MAX_URI_LENGTH = 8192

export function createWatches({ stampOf, tell }: WatchesParts): Watches {
  const watched = new Map<string, Watch>()
  const looks = new Map<MemoryGroup, { isWanted: boolean; done: Promise<void> }>()

  /** What cannot be looked at is told: who reads it learns why. */
  const stampNow = (uri: string): Promise<string | undefined> => stampOf(uri).catch(() => undefined)

  async function look(group: MemoryGroup): Promise<void> {
    for (const [uri, watch] of [...watched]) {
      if (watch.group !== group) continue
      await watch.ready
      const stamp = await stampNow(uri)
      if (watched.get(uri) !== watch) continue
      if (stamp === undefined || stamp !== watch.stamp) tell(uri)
      watch.stamp = stamp
    }
  }

  async function lookWhileWanted(group: MemoryGroup, state: { isWanted: boolean }): Promise<void> {
    do {
      state.isWanted = false
      await look(group)
    } while (state.isWanted)
    looks.delete(group)
  }

  return {
    hasRoom: (uri) => watched.has(uri) || (watched.size < MAX_WATCHED && uri.length <= MAX_URI_LENGTH),
    add(uri) {
      const known = watched.get(uri)
      if (known) {
        known.holders++
        return known.ready
      }
      const group = findMemoryGroup(uri)
      if (group === undefined) return Promise.resolve()
      const watch: Watch = { group, holders: 1, stamp: undefined, ready: Promise.resolve() }
      watch.ready = stampNow(uri).then((stamp) => {
        watch.stamp = stamp
      })
      watched.set(uri, watch)
      return watch.ready
    },
    remove(uri) {
      const watch = watched.get(uri)
      if (watch && --watch.holders === 0) watched.delete(uri)
    },
    check(group) {
      const running = looks.get(group)
      if (running) {
        running.isWanted = true
        return running.done
      }
      const state = { isWanted: false, done: Promise.resolve() }
      looks.set(group, state)
      state.done = lookWhileWanted(group, state)
      return state.done
    },
    size: () => watched.size,
  }
}
