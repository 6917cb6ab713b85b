import { describe, expect, test } from 'vitest'
import { envelopeText, listEnvelopeText } from './envelope-text.ts'

test('an envelope is compact JSON with its keys in order', () => {
  expect(envelopeText({ b: 1.0, a: [null, 0.5], c: {} })).toBe('{"b":1,"a":[null,0.5],"c":{}}')
})

test('an envelope that is too large is an error that names the paged form', () => {
  const envelope = { nodes: ['x'.repeat(20)] }
  expect(envelopeText(envelope, { max: 34 })).toHaveLength(34)
  expect(() => envelopeText(envelope, { max: 33, paged: 'remindb://tree?limit=200' })).toThrow(
    expect.objectContaining({
      code: 'INVALID_INPUT',
      message: 'this is too large for one answer; read it in pages: remindb://tree?limit=200',
    }),
  )
})

test('an envelope may be deeper than the call stack', () => {
  let node: object = { children: [] }
  for (let depth = 0; depth < 20_000; depth++) node = { children: [node] }
  expect(() => JSON.stringify(node)).toThrow(RangeError)
  const text = envelopeText(node)
  expect(text.startsWith('{"children":[{"children":[')).toBe(true)
  expect(text).toHaveLength(20_001 * '{"children":[]}'.length)
})

describe('listEnvelopeText', () => {
  const inParts = (parts: object[][]) => async (take: (items: object[]) => void) => parts.forEach(take)

  test('gives the same text in batches as in one piece', async () => {
    const parts = [[{ a: 1 }, { b: '"\u202e' }], [], [{ c: [] }]]
    expect(await listEnvelopeText('roots', inParts(parts))).toBe(envelopeText({ roots: parts.flat() }))
    expect(await listEnvelopeText('roots', inParts([]))).toBe('{"roots":[]}')
  })

  test('fails if the whole list is too large', async () => {
    const parts = Array.from({ length: 5 }, (_, at) => [{ at }, { at }])
    const { length } = envelopeText({ roots: parts.flat() })
    expect(await listEnvelopeText('roots', inParts(parts), { max: length })).toHaveLength(length)
    const tooLarge = listEnvelopeText('roots', inParts(parts), { max: length - 1, paged: 'remindb://tree' })
    await expect(tooLarge).rejects.toThrow(
      'this is too large for one answer; read it in pages: remindb://tree',
    )
  })
})
