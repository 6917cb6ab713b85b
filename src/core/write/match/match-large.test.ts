import { describe, expect, test } from 'vitest'
import { type FreshItem, listUnmatchedOld, matchExact, matchSimilar } from './match.ts'

function match(old: readonly FreshItem[], fresh: readonly FreshItem[]): number[] {
  const pairs = matchExact(old, fresh)
  const texts = new Map(listUnmatchedOld(old, pairs).map((o) => [o, (old[o] as FreshItem).text]))
  return [...matchSimilar(old, fresh, pairs, texts)]
}

describe('in a large document', () => {
  const lines = (count: number, textOf: (index: number) => string): FreshItem[] =>
    Array.from({ length: count }, (_, index) => {
      const text = textOf(index)
      const isHeading = index % 20 === 0
      const parent = isHeading ? -1 : index - (index % 20)
      return { parent, type: isHeading ? 'heading' : 'text', digest: `#${text}`, text }
    })

  test('an insert among 100,000 blocks keeps all others', () => {
    const old = lines(100_000, (index) => `block ${index}`)
    const insert: FreshItem = { parent: 0, type: 'text', digest: '#new', text: 'new' }
    const shift = (item: FreshItem): FreshItem => ({
      ...item,
      parent: item.parent + (item.parent > 0 ? 1 : 0),
    })
    const fresh = [...old.slice(0, 3), insert, ...old.slice(3).map(shift)]
    const pairs = match(old, fresh)
    expect(pairs.slice(0, 6)).toEqual([0, 1, 2, -1, 3, 4])
    expect(pairs.at(-1)).toBe(99_999)
  })

  test('an insert among 100,000 twins adds one', () => {
    const old = lines(100_000, (index) => `block ${index % 3}`).map((item) => ({ ...item, parent: -1 }))
    const fresh = old.toSpliced(50_000, 0, old[50_000] as FreshItem)
    const pairs = match(old, fresh)
    expect(pairs.filter((o) => o < 0)).toHaveLength(1)
    expect(pairs.at(-1)).toBe(99_999)
  })

  // Words from a small vocabulary, so that everything resembles everything a little.
  const sentence = (seed: number): string =>
    Array.from({ length: 40 }, (_, at) => `w${(Math.imul(seed + 1, 40_503 + at * 7_919) >>> 9) % 97}`).join(
      ' ',
    )

  test.each([
    ['alike', (index: number) => `${sentence(index)} edited`, 10_000],
    ['unlike', (index: number) => sentence(index + 777_777), 5_000],
  ])('10,000 edited blocks in one place find each other: %s', (_, textOf, atLeast) => {
    const flatten = (item: FreshItem): FreshItem => ({ ...item, parent: -1, type: 'text' })
    const old = lines(10_000, sentence).map(flatten)
    const fresh = lines(10_000, textOf).map(flatten)
    const pairs = match(old, fresh)
    const taken = pairs.filter((o) => o >= 0)
    expect(new Set(taken).size).toBe(taken.length)
    expect(taken.length).toBeGreaterThanOrEqual(atLeast)
  })
})
