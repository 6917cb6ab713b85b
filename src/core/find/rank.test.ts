import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Evidence, idfOf, partsOf, priorOf, REACH, rank, relevanceOf } from './rank.ts'

const NOTHING: Evidence = { key: 1, label: 0, text: 0, headings: 0, siblings: [0, 0], tokens: 10 }
const IDFS = [3, 2, 1]

const evidence = fc.record({
  key: fc.nat(),
  label: fc.nat({ max: 7 }),
  text: fc.nat({ max: 7 }),
  headings: fc.nat({ max: 7 }),
  siblings: fc.tuple(fc.nat({ max: 7 }), fc.nat({ max: 7 })),
  tokens: fc.nat({ max: 100_000 }),
})
const idfs = fc.tuple(...IDFS.map(() => fc.double({ min: 1e-6, max: 20, noNaN: true })))
const heat = fc.double({ min: 0, max: 1, noNaN: true })

describe('relevance', () => {
  test.each<[string, Partial<Evidence>, Partial<Evidence>]>([
    ['a label tells more than a text', { label: 1 }, { text: 1 }],
    ['a text more than a heading above', { text: 1 }, { headings: 1 }],
    ['the next sibling more than the next but one', { siblings: [1, 0] }, { siblings: [0, 1] }],
    ['a sibling more than nothing', { siblings: [0, 1] }, {}],
    ['a rare unit more than a common one', { text: 1 }, { text: 2 }],
    ['two units more than one of them', { text: 3 }, { text: 1 }],
    ['a text with its heading more than the text alone', { text: 1, headings: 1 }, { text: 1 }],
    ['two fields with one unit each more than one field', { text: 1, headings: 2 }, { text: 1 }],
    ['a paragraph more than a long text', { text: 1, tokens: 256 }, { text: 1, tokens: 257 }],
  ])('%s', (_, more, less) => {
    const of = (part: Partial<Evidence>) => relevanceOf({ ...NOTHING, ...part }, IDFS)
    expect(of(more)).toBeGreaterThan(of(less))
  })

  test('up to the length of a paragraph it does not matter how long a text is', () => {
    const of = (tokens: number) => relevanceOf({ ...NOTHING, text: 1, tokens }, IDFS)
    expect(of(1)).toBe(of(256))
  })

  test('without units everything is equally relevant', () => {
    expect(relevanceOf(NOTHING, [])).toBe(1)
    expect(partsOf(NOTHING, [])).toEqual([])
  })

  test('more evidence never lowers it, a longer text never raises it', () => {
    fc.assert(
      fc.property(evidence, evidence, idfs, (one, other, weights) => {
        const both: Evidence = {
          ...one,
          label: one.label | other.label,
          text: one.text | other.text,
          headings: one.headings | other.headings,
          siblings: one.siblings.map((mask, at) => mask | (other.siblings[at] ?? 0)),
        }
        expect(relevanceOf(both, weights)).toBeGreaterThanOrEqual(relevanceOf(one, weights))
        const longer = { ...one, tokens: one.tokens + other.tokens }
        expect(relevanceOf(longer, weights)).toBeLessThanOrEqual(relevanceOf(one, weights))
      }),
    )
  })

  test('is the sum of its parts, and each part says where its unit stands', () => {
    fc.assert(
      fc.property(evidence, idfs, (one, weights) => {
        const parts = partsOf(one, weights)
        const sum = parts.reduce((total, { score }) => total + score, 0)
        expect(sum).toBe(relevanceOf(one, weights))
        for (const [at, { label, text, headings, sibling, score }] of parts.entries()) {
          expect([label, text, headings]).toEqual(
            [one.label, one.text, one.headings].map((mask) => (mask & (1 << at)) !== 0),
          )
          expect(sibling).toBeLessThanOrEqual(REACH)
          expect(score > 0).toBe(label || text || headings || sibling > 0)
        }
      }),
    )
  })
})

test('a unit tells the less the more nodes have it, and always something', () => {
  fc.assert(
    fc.property(fc.nat(), fc.nat(), fc.nat(), (count, more, total) => {
      const rare = idfOf(count, total)
      expect(rare).toBeGreaterThan(0)
      expect(idfOf(count + more, total)).toBeLessThanOrEqual(rare)
    }),
  )
})

describe('heat', () => {
  test('has a floor, and cannot be more than all', () => {
    expect(priorOf(0)).toBe(0.3)
    expect(priorOf(1)).toBe(1)
    expect(priorOf(7)).toBe(1)
    expect(priorOf(-1)).toBe(0.3)
  })

  test('decides between equals, and never lifts one above what is four times as relevant', () => {
    const found = [
      { evidence: { ...NOTHING, key: 1 }, relevance: 4 },
      { evidence: { ...NOTHING, key: 2 }, relevance: 1 },
      { evidence: { ...NOTHING, key: 3 }, relevance: 1 },
    ]
    const ranked = rank(found, new Map([[1, 0], [2, 0.2], [3, 1]])) // biome-ignore format: a table
    expect(ranked.map(({ evidence: { key } }) => key)).toEqual([1, 3, 2])
    expect(ranked[0]).toMatchObject({ temperature: 0, prior: 0.3, score: 4 * 0.3 })
  })

  test('what is equal stays as it was given; what has no heat is cold', () => {
    const found = [3, 1, 2].map((key) => ({ evidence: { ...NOTHING, key }, relevance: 1 }))
    const ranked = rank(found, new Map())
    expect(ranked.map(({ evidence: { key }, temperature }) => [key, temperature])).toEqual([
      [3, 0],
      [1, 0],
      [2, 0],
    ])
  })

  test('getting warmer never costs a place', () => {
    const nodes = fc.array(fc.record({ relevance: fc.double({ min: 0, max: 9, noNaN: true }), heat }), {
      minLength: 1,
      maxLength: 12,
    })
    fc.assert(
      fc.property(nodes, fc.nat(), heat, (given, which, by) => {
        const found = given.map(({ relevance }, key) => ({ evidence: { ...NOTHING, key }, relevance }))
        const key = which % given.length
        const before = new Map(given.map(({ heat: value }, at) => [at, value]))
        const after = new Map(before).set(key, Math.min(1, (before.get(key) ?? 0) + by))
        const place = (heats: Map<number, number>) =>
          rank(found, heats).findIndex((node) => node.evidence.key === key)
        expect(place(after)).toBeLessThanOrEqual(place(before))
      }),
    )
  })
})
