import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { arrange, compare, positionsBetween } from './positions.ts'

function expectAscending(positions: readonly string[]): void {
  for (let at = 1; at < positions.length; at++)
    expect(compare(positions[at - 1] as string, positions[at] as string)).toBe(-1)
}

describe('positionsBetween', () => {
  test.each([
    [null, null, 3],
    ['a0', null, 3],
    [null, 'a0', 3],
    ['a0', 'a1', 50],
    ['a0', 'a1', 0],
  ])('returns ascending positions between %s and %s: %d', (after, before, count) => {
    const positions = positionsBetween(after, before, count)
    expect(positions).toHaveLength(count)
    expectAscending([...(after ? [after] : []), ...positions, ...(before ? [before] : [])])
  })
})

describe('arrange', () => {
  test.each([
    ['none', ['a0', 'a1', 'a2'], ['a0', 'a1', 'a2']],
    ['one is removed', ['a0', 'a2'], ['a0', 'a2']],
    ['one is added', ['a0', null, 'a1'], ['a0', 'a0V', 'a1']],
    ['one moves to the end', ['a1', 'a2', 'a0'], ['a1', 'a2', 'a3']],
    ['one moves to the front', ['a2', 'a0', 'a1'], ['Zz', 'a0', 'a1']],
    ['all are new', [null, null], ['a0', 'a1']],
    ['two have the same', ['a0', 'a0'], ['Zz', 'a0']],
    ['no siblings', [], []],
  ])('changes as few as possible: %s', (_, previous, expected) => {
    expect(arrange(previous)).toEqual(expected)
  })

  test('stays within its bounds for any previous positions', () => {
    const positions = arrange(['a0', 'a5', 'a9', null], { after: 'a3', before: 'a7' })
    expect(positions[1]).toBe('a5')
    expectAscending(['a3', ...positions, 'a7'])
  })

  test('gives a returning sibling its old position if that is free', () => {
    const removed = ['a1', 'a2', 'a3']
    const previous = ['a0', null, null, null, 'a4']
    expect(arrange(previous, undefined, [null, ...removed, null])).toEqual(['a0', ...removed, 'a4'])
  })

  test('never moves others for a returning sibling', () => {
    expect(arrange([null, 'a1', null], undefined, ['a1', null, 'a1'])).toEqual(['a0', 'a1', 'a2'])
    const [first, second] = arrange([null, null, 'a1'], undefined, ['a5', 'a6', null])
    expectAscending([first as string, second as string, 'a1'])
  })

  test('orders any siblings, and moves as few of them as possible', () => {
    const position = fc.option(fc.constantFrom(...positionsBetween(null, null, 12)), { nil: null })
    fc.assert(
      fc.property(
        fc.array(position, { maxLength: 12 }),
        fc.array(position, { maxLength: 12 }),
        (before, memory) => {
          const positions = arrange(
            before,
            undefined,
            before.map((_, at) => memory[at] ?? null),
          )
          expect(positions).toHaveLength(before.length)
          expectAscending(positions)
          const kept = positions.filter((found, at) => found === before[at]).length
          expect(kept).toBeGreaterThanOrEqual(longestIncrease(before))
        },
      ),
    )
  })

  test('accepts more siblings than a call can have arguments', () => {
    expect(arrange(new Array(300_000).fill(null))).toHaveLength(300_000)
  })
})

function longestIncrease(values: readonly (string | null)[]): number {
  const best: number[] = []
  for (const [at, value] of values.entries()) {
    if (value === null) continue
    const before = values
      .slice(0, at)
      .map((one, index) => (one !== null && one < value ? (best[index] ?? 0) : 0))
    best[at] = 1 + Math.max(0, ...before)
  }
  return Math.max(0, ...best.filter((length) => length !== undefined))
}
