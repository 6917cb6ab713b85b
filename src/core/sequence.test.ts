import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { longestCommonSubsequence, longestIncreasingSubsequence } from './sequence.ts'

const values = fc.array(fc.integer({ min: -3, max: 9 }), { maxLength: 9 })

describe('longestIncreasingSubsequence', () => {
  test.each([
    [[], []],
    [[7], [1]],
    [
      [1, 2, 3],
      [1, 1, 1],
    ],
    [
      [9, 1, 2, 3],
      [0, 1, 1, 1],
    ],
    [
      [0, 3, 1, 2],
      [1, 0, 1, 1],
    ],
    [
      [2, 2],
      [0, 1],
    ],
  ])('of %j is marked %j', (input, mask) => {
    expect([...longestIncreasingSubsequence(input)]).toEqual(mask)
  })

  test('takes typed arrays', () => {
    expect([...longestIncreasingSubsequence(Int32Array.of(5, 1, 6))].filter(Boolean)).toHaveLength(2)
  })

  test('is increasing and as long as any', () => {
    fc.assert(
      fc.property(values, (input) => {
        const mask = longestIncreasingSubsequence(input)
        const kept = input.filter((_, index) => mask[index] === 1)
        expect(isIncreasing(kept)).toBe(true)
        expect(kept.length).toBe(
          Math.max(
            ...subsets(input)
              .filter(isIncreasing)
              .map((set) => set.length),
          ),
        )
      }),
    )
  })
})

describe('longestCommonSubsequence', () => {
  test('pairs the first of several with the first', () => {
    expect(longestCommonSubsequence([1, 1, 1], [1, 1])).toEqual([
      [0, 0],
      [1, 1],
    ])
    expect(longestCommonSubsequence([1, 2, 1], [3, 1, 4])).toEqual([[0, 1]])
  })

  test('still aligns common ends when the middle is too large', () => {
    expect(longestCommonSubsequence([1, 7, 8, 2], [1, 8, 7, 2], 3)).toEqual([
      [0, 0],
      [3, 3],
    ])
  })

  test('pairs equals in order, and as many as any', () => {
    const small = fc.array(fc.integer({ min: 0, max: 2 }), { maxLength: 8 })
    fc.assert(
      fc.property(small, small, (left, right) => {
        const pairs = longestCommonSubsequence(left, right)
        for (const [a, b] of pairs) expect(left[a]).toBe(right[b])
        expect(isIncreasing(pairs.map(([a]) => a)) && isIncreasing(pairs.map(([, b]) => b))).toBe(true)
        const common = new Set(subsets(right).map((set) => set.join()))
        const longest = Math.max(...subsets(left).map((set) => (common.has(set.join()) ? set.length : 0)))
        expect(pairs.length).toBe(longest)
      }),
    )
  })
})

function isIncreasing(list: readonly number[]): boolean {
  return list.every((value, index) => index === 0 || (list[index - 1] as number) < value)
}

function subsets(list: readonly number[]): number[][] {
  return list.reduce<number[][]>((all, value) => all.concat(all.map((set) => [...set, value])), [[]])
}
