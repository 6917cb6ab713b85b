import type { ReadTx, Store } from '../../src/core/port/store.ts'

export interface Trips {
  store: Store
  /** Of each wait since the last call: what was asked in it. */
  take(): string[][]
}

/** Counts how often a caller waits for its store: what is asked in the same turn travels together, and is one round trip. */
export function countingStore(store: Store): Trips {
  const trips: string[][] = []
  let isOpen = false

  function note(name: string): void {
    if (isOpen) return void trips.at(-1)?.push(name)
    trips.push([name])
    isOpen = true
    queueMicrotask(() => {
      isOpen = false
    })
  }

  const counting = (tx: ReadTx): ReadTx =>
    new Proxy(tx, {
      get(target, name: keyof ReadTx) {
        const method = target[name] as (...args: unknown[]) => unknown
        return (...args: unknown[]) => {
          note(name)
          return method.apply(target, args)
        }
      },
    })
  return {
    store: { ...store, read: (fn, options) => store.read((tx) => fn(counting(tx)), options) },
    take: () => trips.splice(0),
  }
}
