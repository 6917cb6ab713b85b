import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Evidence, idfOf, partsOf, priorOf, REACH, rankOf, relevanceOf } from './rank.ts'

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

describe('the relevance of a node', () => {
  test.each<[string, Partial<Evidence>, Partial<Evidence>]>([
    ['a label counts more than a text', { label: 1 }, { text: 1 }],
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

  test('does not depend on the length of a text up to a paragraph', () => {
    const of = (tokens: number) => relevanceOf({ ...NOTHING, text: 1, tokens }, IDFS)
    expect(of(1)).toBe(of(256))
  })

  test('is equal for all nodes without units', () => {
    expect(relevanceOf(NOTHING, [])).toBe(1)
    expect(partsOf(NOTHING, [])).toEqual([])
  })

  test('is never lowered by more evidence, nor raised by a longer text', () => {
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

  test('is the sum of its parts, and each part names the fields of its unit', () => {
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

test('is lower for a unit that more nodes have, and never zero', () => {
  fc.assert(
    fc.property(fc.nat(), fc.nat(), fc.nat(), (count, more, total) => {
      const rare = idfOf(count, total)
      expect(rare).toBeGreaterThan(0)
      expect(idfOf(count + more, total)).toBeLessThanOrEqual(rare)
    }),
  )
})

describe('the prior of heat', () => {
  test('is between its minimum and 1', () => {
    expect(priorOf(0)).toBe(0.3)
    expect(priorOf(1)).toBe(1)
    expect(priorOf(7)).toBe(1)
    expect(priorOf(-1)).toBe(0.3)
  })

  test('decides between equals, and never outweighs four times the relevance', () => {
    const [idf] = [idfOf(1, 9)]
    const four = { ...NOTHING, label: 0b1111 }
    const one = { ...NOTHING, label: 1 }
    const score = (evidence: Evidence, heatNow: number) =>
      rankOf(evidence, heatNow, [idf, idf, idf, idf]).score
    expect(score(one, 1)).toBeGreaterThan(score(one, 0.2))
    expect(score(four, 0)).toBeGreaterThan(score(one, 1))
    expect(rankOf(four, 0, [idf])).toMatchObject({ temperature: 0, prior: 0.3 })
  })

  test('never lowers a score when a node gets warmer', () => {
    fc.assert(
      fc.property(evidence, heat, heat, (given, before, by) => {
        const score = (value: number) => rankOf(given, value, [1, 2, 3]).score
        expect(score(Math.min(1, before + by))).toBeGreaterThanOrEqual(score(before))
      }),
    )
  })
})
