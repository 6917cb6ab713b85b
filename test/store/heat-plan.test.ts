import { expect, onTestFinished, test } from 'vitest'
import { COLDEST, NEWLY_COLD } from '../../src/store/sqlite/heat-cold.ts'
import { COOLING_SUMS, MIDDLE } from '../../src/store/sqlite/heat-overview.ts'
import { openReader } from '../../src/store/sqlite/open.ts'
import { filledDatabase } from '../support/store-database.ts'

async function planOf(sql: string): Promise<string[]> {
  const db = openReader(await filledDatabase())
  onTestFinished(() => void db.close())
  const parameters = { space: 1, below: 0.1, limit: 10, hot: 0.5, cold: 0.1, pinned: 1, skipped: 0, place: 0 }
  const rows = db.prepare<[object], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).all(parameters)
  return rows.map(({ detail }) => detail)
}

/** By an index or a key, never from one end to the other, and never sorted. `c` is what was found. */
const isCheap = (detail: string): boolean => detail === 'SCAN c' || !/SCAN|TEMP B-TREE/.test(detail)

test.each([
  ['the coldest nodes', COLDEST, 2],
  ['what is newly cold', NEWLY_COLD, 1],
])('%s are found by index, at the cost of what is returned', async (_, sql, ranges) => {
  const plan = await planOf(sql)
  expect(plan.filter((detail) => !isCheap(detail))).toEqual([])
  const range = 'SEARCH heat USING COVERING INDEX heat_by_coldness (told=? AND coldness>? AND coldness<?)'
  expect(plan.filter((detail) => detail === range)).toHaveLength(ranges)
})

test('an overview reads no table of heat but its index', async () => {
  const plan = await planOf(COOLING_SUMS)
  expect(plan.filter((detail) => detail.includes('heat'))).toEqual([
    'SCAN heat USING COVERING INDEX heat_by_coldness',
  ])
  expect(plan.filter((detail) => detail.includes('TEMP B-TREE'))).toEqual([])
})

test('the middle one is found by walking the index; only the pinned ones are sorted with it', async () => {
  const plan = await planOf(MIDDLE)
  expect(plan).toContainEqual(expect.stringMatching(/ heat USING COVERING INDEX heat_by_coldness/))
  expect(plan).toContainEqual(expect.stringMatching(/^(SEARCH|SCAN) h USING INDEX heat_pinned/))
})
