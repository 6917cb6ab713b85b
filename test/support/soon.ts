import { expect } from 'vitest'

/**
 * Waits for what becomes true by itself, as long as `expect.poll` in vitest.config.ts allows. What a matcher looks at is the value: an
 * expectation inside, which gives none, would not be waited for.
 */
export function soon<T>(value: () => void extends T ? never : T) {
  return expect.poll<T>(value)
}
