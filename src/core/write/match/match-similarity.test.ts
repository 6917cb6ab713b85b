import { describe, expect, test } from 'vitest'
import { createSimilarityIndex, featuresOf, similarity } from './match-similarity.ts'

const alike = (left: string, right: string): number => similarity(featuresOf(left), featuresOf(right))

describe('similarity', () => {
  test('is 1 for the same words, whatever the case and punctuation', () => {
    expect(alike('Run the *tests* first.', 'run the tests, first')).toBe(1)
  })

  test('is 0 without a common word, and for texts without words', () => {
    expect(alike('alpha beta', 'gamma delta')).toBe(0)
    expect(alike('', '')).toBe(0)
    expect(alike('---', '---')).toBe(0)
  })

  test('is high after a small edit and low after a rewrite', () => {
    expect(alike('Run the tests before every release', 'Run the tests before each release')).toBeGreaterThan(
      0.6,
    )
    expect(alike('Run the tests before every release', 'The cat sat on the mat')).toBeLessThan(0.25)
  })

  test('depends on the order of words', () => {
    expect(alike('dog bites man', 'man bites dog')).toBeLessThan(1)
  })

  test('compares scripts without spaces by character', () => {
    expect(alike('記憶は意味に従う', '記憶は意味にしたがう')).toBeGreaterThan(0.5)
    expect(alike('記憶は意味に従う', '明日雨降る')).toBe(0)
  })
})

describe('createSimilarityIndex', () => {
  test('finds the most similar first, and nothing for an unrelated text', () => {
    const texts = ['red green blue', 'one two three four', 'one two five six']
    const find = createSimilarityIndex(texts.map(featuresOf))
    expect(find(featuresOf('one two three seven'))).toEqual([1, 2])
    expect(find(featuresOf('nothing here'))).toEqual([])
  })
})
