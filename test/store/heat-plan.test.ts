import { expect, onTestFinished, test } from 'vitest'
import { openReader } from '../../src/store/sqlite/database/open.ts'
import { ORDERS } from '../../src/store/sqlite/nodes/node-orders.ts'
import { COOLING_SUMS, MIDDLE } from '../../src/store/sqlite/summary.ts'
import { filledDatabase } from '../support/store-database.ts'

async function planOf(sql: string): Promise<string[]> {
  const db = openReader(await filledDatabase())
  onTestFinished(() => void db.close())
  const parameters = {
    ...{ space: 1, below: 0.1, limit: 10, hot: 0.5, cold: 0.1, pinned: 1, skipped: 0, place: 0 },
    ...{ lookedAt: 10, tokens: 1, since: 1 },
  }
  const rows = db.prepare<[object], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).all(parameters)
  return rows.map(({ detail }) => detail)
}

const orderPlan = ({ from, where }: (typeof ORDERS)[keyof typeof ORDERS]) =>
  planOf(`SELECT n.key FROM ${from} WHERE ${where}`)

/** By an index or a key, never from one end to the other, and never sorted. `c` is what was found, `p` the pinned, which are few. */
const isCheap = (detail: string): boolean =>
  ['SCAN c', 'SCAN p USING INDEX heat_pinned'].includes(detail) || !/SCAN|TEMP B-TREE/.test(detail)

test.each([
  ['the coldest nodes', ORDERS.coldest, 2],
  ['what is newly cold', ORDERS.newlyCold, 1],
])('%s are found by index, at the cost of what is returned', async (_, order, ranges) => {
  const plan = await orderPlan(order)
  expect(plan.filter((detail) => !isCheap(detail))).toEqual([])
  const range = 'SEARCH heat USING COVERING INDEX heat_by_coldness (told=? AND coldness>? AND coldness<?)'
  expect(plan.filter((detail) => detail === range)).toHaveLength(ranges)
})

test('what was not read for long is looked for in as much of the index as was asked for', async () => {
  expect((await orderPlan(ORDERS.unread)).filter((detail) => !isCheap(detail))).toEqual([])
})

test('the warmest nodes are found by index, and only the pinned are sorted', async () => {
  const plan = await orderPlan(ORDERS.warmest)
  expect(plan.filter((detail) => !isCheap(detail))).toEqual(['USE TEMP B-TREE FOR ORDER BY'])
  const pinned = plan.indexOf('SCAN p USING INDEX heat_pinned')
  expect(plan.indexOf('USE TEMP B-TREE FOR ORDER BY')).toBeGreaterThan(pinned)
  expect(plan.at(-1)).toBe('SEARCH n USING INTEGER PRIMARY KEY (rowid=?)')
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
  expect(plan).toContainEqual(expect.stringMatching(/^(SEARCH|SCAN) p USING INDEX heat_pinned/))
})
