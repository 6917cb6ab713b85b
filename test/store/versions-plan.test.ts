import { expect, onTestFinished, test } from 'vitest'
import { openHandle } from '../../src/store/sqlite/database/driver.ts'
import { migrate } from '../../src/store/sqlite/database/migrate.ts'
import { STATES_AT, VERSIONS_AFTER } from '../../src/store/sqlite/history/versions.ts'
import { SHAPES } from '../../src/store/sqlite/nodes/node-shapes.ts'

function planOf(sql: string): string[] {
  const db = openHandle(':memory:')
  onTestFinished(() => void db.close())
  migrate(db, 0)
  const asked = sql.replaceAll(/\?|@\w+/g, '1')
  return db
    .prepare<[], { detail: string }>(`EXPLAIN QUERY PLAN ${asked}`)
    .all()
    .map(({ detail }) => detail)
}

test('a page of versions begins at its place: those before it are not read', () => {
  const plan = planOf(VERSIONS_AFTER)
  expect(plan[0]).toMatch(/^SEARCH v USING INDEX versions_by_snapshot \(\(snapshot_id,node_key\)>\(\?,\?\)/)
  expect(plan.join()).not.toContain('TEMP B-TREE')
})

test('what changed in a range is found by its keys: those are sorted, and no text is', () => {
  const { from, where } = SHAPES.changedIn
  const plan = planOf(`SELECT n.* FROM ${from} WHERE ${where}`)
  expect(plan.filter((detail) => /B-TREE/.test(detail))).toEqual(['USE TEMP B-TREE FOR DISTINCT'])
  expect(plan.filter((detail) => detail.startsWith('SCAN'))).toEqual(['SCAN c'])
})

test('what nodes were is found by their keys', () => {
  const plan = planOf(STATES_AT)
  expect(plan.filter((detail) => /B-TREE|^SCAN/.test(detail))).toEqual(['SCAN j VIRTUAL TABLE INDEX 1:'])
})
