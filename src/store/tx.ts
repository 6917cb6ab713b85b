import type { QueryTools, StoreQuery } from '../core/port/store.ts'
import { abortError } from './call-errors.ts'

function endedError(): Error {
  return new Error('this transaction has ended; await every call inside it')
}

type Query = (...args: unknown[]) => unknown

/** What a transaction is made of: its methods, made once for a handle, find their own transaction in `this`. */
interface State {
  isOpen: boolean
  failures: unknown[]
}
const STATE = Symbol('state')

/** The methods of the port over one handle. They refuse calls after the transaction's end; a failed call fails it. */
export function txMethods(queries: object): object {
  const methods = Object.entries(queries as Record<string, Query>).map(([name, query]) => [
    name,
    function (this: { [STATE]: State }, ...args: unknown[]) {
      return ask(this[STATE], query, args)
    },
  ])
  return Object.fromEntries(methods)
}

function ask(state: State, query: Query, args: unknown[]): Promise<unknown> {
  if (!state.isOpen) return Promise.reject(endedError())
  try {
    return Promise.resolve(query(...args))
  } catch (error) {
    state.failures.push(error)
    const failed = Promise.reject(error)
    // The caller may not await it: `inTx` throws it.
    failed.catch(() => undefined)
    return failed
  }
}

/** Runs `fn` in a transaction of its own, which ends with it and fails if one of its calls failed. */
export async function inTx<Tx extends object, T>(methods: object, fn: (tx: Tx) => Promise<T>): Promise<T> {
  const state: State = { isOpen: true, failures: [] }
  const tx = Object.assign(Object.create(methods), { [STATE]: state }) as Tx
  try {
    const result = await fn(tx)
    if (state.failures.length > 0) throw state.failures[0]
    return result
  } finally {
    state.isOpen = false
  }
}

/** Answers a query in place. */
export async function runQuery<I, O>(
  tools: QueryTools,
  query: StoreQuery<I, O>,
  input: I,
  signal?: AbortSignal,
): Promise<O> {
  if (signal?.aborted) throw abortError(signal)
  return query.run(tools, input)
}

/** The source of a call that has none. */
export const NO_PARTS: AsyncIterable<never> = {
  [Symbol.asyncIterator]: () => ({ next: async () => ({ done: true, value: undefined }) }),
}

/** Port methods without their promises. */
export type Sync<T> = {
  [K in keyof T]: T[K] extends (...args: infer A) => Promise<infer R> ? (...args: A) => R : never
}
