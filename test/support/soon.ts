import { expect } from 'vitest'

/** Waits for what becomes true by itself, as long as `expect.poll` in vitest.config.ts allows. */
export function soon<T>(value: () => T) {
  return expect.poll(value)
}
