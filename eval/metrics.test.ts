import { describe, expect, test } from 'vitest'
import { meanOf, percentile, scoresOf } from './metrics.ts'

const ids = (count: number, prefix = 'x'): string[] =>
  Array.from({ length: count }, (_, at) => `${prefix}${at}`)

describe('scoresOf', () => {
  test('is one everywhere for the one right answer in the first place', () => {
    expect(scoresOf(['a'], ['a'])).toEqual({
      'recall@5': 1,
      'recall@10': 1,
      'recall@25': 1,
      'recall@50': 1,
      'ndcg@10': 1,
      mrr: 1,
    })
  })

  test('is zero everywhere when nothing relevant is found, and when nothing is found', () => {
    for (const found of [['b', 'c'], []]) {
      expect(Object.values(scoresOf(found, ['a']))).toEqual([0, 0, 0, 0, 0, 0])
    }
  })

  test('recall is the share of the relevant within the first k', () => {
    const found = ['a', ...ids(5), 'b', ...ids(20, 'y'), 'c', ...ids(30, 'z'), 'd']
    const scores = scoresOf(found, ['a', 'b', 'c', 'd'])
    expect([scores['recall@5'], scores['recall@10'], scores['recall@25'], scores['recall@50']]).toEqual([
      0.25, 0.5, 0.5, 0.75,
    ])
  })

  test.each([
    [5, 1, 1],
    [6, 0, 1],
    [10, 0, 1],
    [11, 0, 0],
  ])('a hit in place %i counts at the border', (place, at5, at10) => {
    const scores = scoresOf([...ids(place - 1), 'a'], ['a'])
    expect([scores['recall@5'], scores['recall@10']]).toEqual([at5, at10])
  })

  test('ndcg discounts by place: third and fourth of two relevant', () => {
    // (1/log2(4) + 1/log2(5)) / (1/log2(2) + 1/log2(3)) = (0.5 + 0.430677) / (1 + 0.630930)
    expect(scoresOf(['x', 'y', 'a', 'b'], ['a', 'b'])['ndcg@10']).toBeCloseTo(0.570642, 6)
  })

  test('ndcg can be reached though more is relevant than fits in ten places', () => {
    expect(scoresOf(ids(12), ids(12))['ndcg@10']).toBeCloseTo(1, 12)
  })

  test('ndcg does not see what comes after the tenth', () => {
    expect(scoresOf([...ids(10), 'a'], ['a'])['ndcg@10']).toBe(0)
  })

  test('mrr is one over the place of the first relevant', () => {
    expect(scoresOf(['x', 'y', 'z', 'b', 'a'], ['a', 'b']).mrr).toBe(0.25)
    expect(scoresOf([...ids(59), 'a'], ['a']).mrr).toBeCloseTo(1 / 60, 12)
  })

  test('a relevant id that is named twice counts once', () => {
    expect(scoresOf(['a'], ['a', 'a'])['recall@5']).toBe(1)
  })
})

describe('meanOf', () => {
  test('is the mean of each metric by itself', () => {
    const mean = meanOf([scoresOf(['a'], ['a']), scoresOf(['x', 'a'], ['a']), scoresOf([], ['a'])])
    expect(mean['recall@5']).toBeCloseTo(2 / 3, 12)
    expect(mean.mrr).toBeCloseTo((1 + 0.5 + 0) / 3, 12)
  })

  test('of nothing is zero', () => {
    expect(Object.values(meanOf([]))).toEqual([0, 0, 0, 0, 0, 0])
  })
})

describe('percentile', () => {
  test.each([
    [[4, 1, 3, 2], 0.5, 2],
    [[1, 2, 3, 4, 5], 0.5, 3],
    [Array.from({ length: 100 }, (_, at) => at + 1), 0.99, 99],
    [[7], 0.99, 7],
    [[], 0.5, 0],
  ])('of %j at %d is %d', (values, share, expected) => {
    expect(percentile(values, share)).toBe(expected)
  })
})
