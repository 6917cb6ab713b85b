import { runOperation } from '../../src/core/operations/run-operation.ts'
import type { ReadTx, Store } from '../../src/core/port/store.ts'
import { writing } from './writing.ts'

export interface Trips {
  store: Store
  /** Of each wait since the last call: what was asked in it. */
  take(): string[][]
}

/**
 * Counts how often a caller waits for its store: what is asked in the same turn travels together, and is one round trip. A set that
 * is committed needs no answer and travels with what comes next; the end of a transaction is the last trip.
 */
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

  const counting = <Tx extends ReadTx>(tx: Tx): Tx =>
    new Proxy(tx, {
      get(target, name: keyof Tx & string) {
        const method = target[name] as (...args: unknown[]) => unknown
        return (...args: unknown[]) => {
          if (name !== 'commit') note(name)
          return method.apply(target, args)
        }
      },
    })
  const read: Store['read'] = (fn, options) => store.read((tx) => fn(counting(tx)), options)
  return {
    store: {
      read,
      // As an engine does it that runs queries in place.
      query: (query, input) =>
        store.query({ ...query, run: (tools) => query.run({ ...tools, store: { read } }, input) }, input),
      write: (operation, input, call) =>
        writing(store, (tx, tools) => runOperation(operation, counting(tx), input, tools), call).finally(() =>
          note('end'),
        ),
    },
    take: () => trips.splice(0),
  }
}
