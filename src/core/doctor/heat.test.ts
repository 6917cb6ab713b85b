import { describe, expect, test } from 'vitest'
import type { ScannedNode, StoredRows } from '../port/scan.ts'
import { heatCheck, isMisplaced, isPossible, rightHeat } from './heat.ts'

type HeatRow = StoredRows['heat']

const NOW = 3
const ROW: HeatRow = {
  ...{ key: 1, value: 0.5, clock: 2, pinned: false, accesses: 7, accessedAt: 9, told: true },
  coldness: Math.log(0.5) + 2,
}

describe('the check of heat', () => {
  test.each<[unknown, unknown, boolean]>([
    [0, 0, true],
    [1, NOW, true],
    [0.5, -2, true],
    [1.01, 0, false],
    [-0.01, 0, false],
    ['0.5', 0, false],
    [null, 0, false],
    [Number.NaN, 0, false],
    [0.5, NOW + 1, false],
    [0.5, 'x', false],
  ])('heat %j at clock %j is valid: %s', (value, clock, expected) => {
    expect(isPossible({ value, clock }, NOW)).toBe(expected)
  })

  test.each<[string, Partial<HeatRow>, boolean, boolean]>([
    ['a live node in its place', {}, true, false],
    ['almost in its place', { coldness: Math.log(0.5) + 2 + 1e-12 }, true, false],
    ['elsewhere', { coldness: 0 }, true, true],
    ['nowhere', { coldness: null }, true, true],
    ['stone-cold, first', { value: 0, coldness: Number.NEGATIVE_INFINITY }, true, false],
    ['stone-cold, not first', { value: 0, coldness: -7 }, true, true],
    ['pinned, not in the order', { pinned: true, coldness: null }, true, false],
    ['pinned, in the order', { pinned: true }, true, true],
    ['removed, not in the order', { coldness: null }, false, false],
    ['removed, in the order', {}, false, true],
  ])('%s', (_, row, isLive, expected) => {
    expect(isMisplaced({ ...ROW, ...row }, isLive)).toBe(expected)
  })

  test.each<[string, Partial<HeatRow>, object | undefined]>([
    ['a valid row is unchanged', {}, undefined],
    ['a wrong place is corrected', { coldness: 4 }, { value: 0.5, clock: 2, coldness: ROW.coldness }],
    ['a heat above 1 becomes 1', { value: 4 }, { value: 1, clock: NOW, coldness: NOW }],
    ['a heat below 0 becomes 0', { value: -4 }, { value: 0, coldness: Number.NEGATIVE_INFINITY }],
    [
      'a heat that is not a number becomes the initial heat',
      { value: 'x' },
      { value: 0.5, coldness: Math.log(0.5) + NOW },
    ],
    ['a pinned node stays pinned', { value: 2, pinned: true }, { value: 1, pinned: true, coldness: null }],
  ])('%s', (_, row, expected) => {
    const put = rightHeat({ ...ROW, ...row }, true, NOW)
    if (expected === undefined) expect(put).toBeUndefined()
    else expect(put).toMatchObject({ key: 1, isNew: false, accesses: 7, told: true, ...expected })
  })

  test('reports the worst problem first', () => {
    const { see, findings } = heatCheck({ now: 0 })
    see.space?.({
      headId: null,
      digest: null,
      heat: { clock: NOW, tickedAt: 9e15, frozen: false, coldBelow: 0 },
    })
    expect(findings.heat?.().detail).toMatch(/clock is ahead/)
    for (const key of [1, 2]) see.nodes?.(node(key))
    see.heat?.({ ...ROW, coldness: 5 })
    expect(findings.heat?.().detail).toBe('1 node has no heat')
    see.heat?.({ ...ROW, key: 2, value: 7 })
    expect(findings.heat?.().detail).toBe('1 node has an impossible heat')
  })
})

function node(key: number): ScannedNode {
  return {
    ...{ key, id: `n${key}`, documentId: 1, parentKey: null, position: 'a0', type: 'text', format: 'plain' },
    ...{ label: '', name: null, tokens: 0, textKey: 1, links: null, mark: null, removedIn: null },
  }
}
