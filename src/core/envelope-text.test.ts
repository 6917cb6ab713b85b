import { expect, test } from 'vitest'
import { envelopeText } from './envelope-text.ts'

test('is compact JSON with the keys in their order', () => {
  expect(envelopeText({ b: 1.0, a: [null, 0.5], c: {} })).toBe('{"b":1,"a":[null,0.5],"c":{}}')
})

test('of what is too large is an error that names the paged form', () => {
  const envelope = { nodes: ['x'.repeat(20)] }
  expect(envelopeText(envelope, { max: 34 })).toHaveLength(34)
  expect(() => envelopeText(envelope, { max: 33, paged: 'remindb://tree?limit=200' })).toThrow(
    expect.objectContaining({
      code: 'INVALID_INPUT',
      message: 'this is too large for one answer; read it in pages: remindb://tree?limit=200',
    }),
  )
})

test('does not mind a tree that is deeper than the stack', () => {
  let node: object = { children: [] }
  for (let depth = 0; depth < 20_000; depth++) node = { children: [node] }
  expect(() => JSON.stringify(node)).toThrow(RangeError)
  const text = envelopeText(node)
  expect(text.startsWith('{"children":[{"children":[')).toBe(true)
  expect(text).toHaveLength(20_001 * '{"children":[]}'.length)
})
