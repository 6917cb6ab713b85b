import fc from 'fast-check'
import { expect, test } from 'vitest'
import { shapeOf } from './json-shape.ts'

const ENDLESS = { depth: Number.POSITIVE_INFINITY, parts: Number.POSITIVE_INFINITY }

function depthOf(value: unknown): number {
  return isNested(value) ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0
}
function partsOf(value: unknown): number {
  if (!isNested(value)) return 0
  const values = Object.values(value)
  return 1 + Math.max(0, values.length - 1) + values.reduce((sum: number, one) => sum + partsOf(one), 0)
}
function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

test('shapeOf finds the same shape as walking the value, for any strings in it', () => {
  const key = fc.oneof(fc.constantFrom('[', '{"', '\\', '"', '\\",{', ']'), fc.string({ unit: 'binary' }))
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
    fc.property(value, fc.boolean(), (given, isIndented) => {
      const json = JSON.stringify(given, null, isIndented ? 2 : 0)
      expect(shapeOf(json, ENDLESS)).toEqual({ depth: depthOf(given), parts: partsOf(given) })
    }),
  )
})

test('shapeOf stops at its limit, and accepts text that is not JSON', () => {
  expect(shapeOf('['.repeat(1_000_000), { depth: 100, parts: 1000 })).toMatchObject({ depth: 101 })
  expect(shapeOf('1,'.repeat(1_000_000), { depth: 100, parts: 1000 })).toMatchObject({ parts: 1001 })
  for (const text of ['', '"', '"\\', '{"a', ']]]]']) expect(shapeOf(text, ENDLESS).depth).toBeLessThan(2)
})
