import { describe, expect, test } from 'vitest'
import { type Measured, sideBySide } from '../bench/engine/side-by-side.ts'
import { processorClock, timed } from '../bench/engine/timing.ts'
import { type Found, judge } from '../bench/find/figures.ts'

/** A size at which one operation takes so long, and its floor. */
function found(size: string, nodes: number, p50Ms: number, floorP50Ms: number, name = 'fetch a file'): Found {
  const one: Measured = { name, runs: 1, found: 1, p50Ms, p99Ms: p50Ms, floorP50Ms, floorP99Ms: floorP50Ms }
  return { size, nodes, links: 0, load: 1, measured: [one], limits: { checked: 700, differing: 0 } }
}
const lost = (...all: Found[]): string[] =>
  judge(all)
    .filter(({ holds }) => !holds)
    .map(({ target }) => target)

describe('the verdicts of bench find', () => {
  test('an operation may take twice its floor', () => {
    expect(lost(found('10k', 10_000, 2, 1))).toEqual([])
    expect(lost(found('10k', 10_000, 2.1, 1))).toEqual(['fetch a file at 10k ≤ 2 × its floor'])
  })

  test('it may become three times slower from 100k to a million nodes', () => {
    expect(lost(found('100k', 100_000, 1, 1), found('1M', 1_000_000, 3, 2))).toEqual([])
    expect(lost(found('100k', 100_000, 1, 1), found('1M', 1_000_000, 3.1, 2))).toEqual([
      'fetch a file at 1M / at 100k ≤ 3.00 (the floor: 2.00×)',
    ])
  })

  test('it may become slower than that as far as its floor does', () => {
    expect(lost(found('100k', 100_000, 1, 1), found('1M', 1_000_000, 10, 10))).toEqual([])
    expect(lost(found('100k', 100_000, 1, 1), found('1M', 1_000_000, 11, 10))).toEqual([
      'fetch a file at 1M / at 100k ≤ 10.00 (the floor: 10.00×)',
    ])
  })

  test('smaller memories are not held against larger ones', () => {
    expect(judge([found('10k', 10_000, 9, 9), found('100k', 100_000, 1, 1)])).toHaveLength(4)
  })

  test('an answer at a limit that is not the first of a longer one is lost', () => {
    const one = { ...found('100k', 100_000, 1, 1), limits: { checked: 700, differing: 1 } }
    expect(lost(one)).toEqual(['answers at limit k are the first k at 100k: 700 compared, differing ≤ 0'])
  })

  test('four frequent words have a limit of their own at 100k, beside what plain OR takes', () => {
    const name = 'four frequent words'
    expect(lost(found('100k', 100_000, 15, 60, name))).toEqual([])
    expect(lost(found('100k', 100_000, 16, 60, name))).toEqual([
      'four frequent words at 100k ≤ 15 ms (plain OR takes 60.00 ms)',
    ])
    expect(judge([found('10k', 10_000, 16, 60, name)])).toHaveLength(2)
  })
})

test('times are counted by the clock that is given', async () => {
  let clock = 0
  const one = {
    name: 'a case',
    inputs: ['a', 'b'],
    async ours() {
      clock += 3
      return 1
    },
    floor: () => {
      clock += 2
    },
  }
  expect(await sideBySide(one, { clock: () => clock })).toMatchObject({ p50Ms: 3, floorP50Ms: 2 })
})

test('the clock of the processor does not count what a process waits for', async () => {
  const wait = () => new Promise((resolve) => setTimeout(resolve, 500))
  expect(await timed(wait, processorClock)).toBeLessThan(400)
})
