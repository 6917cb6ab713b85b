import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isDeeperThan } from './json-depth.ts'

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return 1 + Math.max(0, ...Object.values(value).map(depthOf))
}

test('is what walking through the value finds, whatever the texts in it say', () => {
  const key = fc.oneof(fc.constantFrom('[', '{"', '\\', '"', '\\"{', ']'), fc.string({ unit: 'binary' }))
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 6 },
      key,
      fc.constantFrom(null, 1, true),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(key, tie('value'), { maxKeys: 3 }),
    ),
  }))
  fc.assert(
    fc.property(value, fc.integer({ min: 0, max: 8 }), fc.boolean(), (given, max, isIndented) => {
      const json = JSON.stringify(given, null, isIndented ? 2 : 0)
      expect(isDeeperThan(json, max)).toBe(depthOf(given) > max)
    }),
  )
})

test('is answered for what is no JSON too', () => {
  for (const text of ['', '"', '"\\', ']]]][[', '{"a']) expect(isDeeperThan(text, 2)).toBe(false)
  expect(isDeeperThan('['.repeat(1_000_000), 100)).toBe(true)
})
