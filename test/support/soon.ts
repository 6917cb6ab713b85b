import { expect } from 'vitest'

/** What becomes true by itself: it is waited for as long as a busy machine may take. */
export function soon<T>(value: () => T) {
  return expect.poll(value, { timeout: 30_000, interval: 10 })
}
