import { expect, test } from 'vitest'
import { type PastVersion, pastAttributes, pastDocument, pastText } from './document-past.ts'

const whole = (textDigest: string | null, more: Partial<PastVersion> = {}): PastVersion => ({
  ...{ textDigest, attributes: {}, lead: null, trail: null, ...more },
})
const piece = (textDigest: string, more: Partial<PastVersion> = {}): PastVersion =>
  whole(textDigest, { lead: '', attributes: null, ...more })

test.each<[string, PastVersion[], string | null]>([
  ['nothing', [], null],
  ['a text', [whole('a')], 'A'],
  ['a removed text', [whole('a'), whole(null)], null],
  ['the newest text', [whole('a'), whole('b')], 'B'],
  ['a text with pieces', [whole('a'), piece('b', { lead: '\n', trail: ' ' }), piece('c')], 'A\nB C'],
  ['pieces since the newest text', [whole('a'), piece('b'), whole('c'), piece('d')], 'CD'],
])('pastText gives %s', (_, versions, expected) => {
  expect(pastText(versions, (digest) => digest?.toUpperCase() ?? null)).toBe(expected)
})

test('a piece without attributes has those of the previous version', () => {
  expect(pastAttributes([whole('a', { attributes: { a: 1 } }), piece('b'), piece('c')])).toEqual({ a: 1 })
  expect(pastAttributes([])).toEqual({})
})

test('pastDocument gives the state after versions; a document without versions is removed', () => {
  const said = { state: 'live', digest: 'd' } as const
  const gone = { state: 'removed', digest: null, textDigest: null, attributes: null, isPiece: false }
  expect(pastDocument([])).toEqual(gone)
  expect(pastDocument([{ ...said, ...whole('a') }])).toEqual({
    ...{ ...said, textDigest: 'a', attributes: {}, isPiece: false },
  })
  expect(
    pastDocument([
      { ...said, ...whole('a') },
      { ...said, ...piece('b') },
    ]),
  ).toEqual({
    ...{ ...said, textDigest: 'b', attributes: {}, isPiece: true },
  })
})
