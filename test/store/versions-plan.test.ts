import { expect, onTestFinished, test } from 'vitest'
import { openHandle } from '../../src/store/sqlite/driver.ts'
import { migrate } from '../../src/store/sqlite/migrate.ts'
import { NET_CHANGES, VERSIONS_AFTER } from '../../src/store/sqlite/versions.ts'

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

test('net changes are found by their keys: those are sorted, and no text is', () => {
  const plan = planOf(NET_CHANGES)
  expect(plan.filter((detail) => /B-TREE/.test(detail))).toEqual(['USE TEMP B-TREE FOR DISTINCT'])
  expect(plan.filter((detail) => detail.startsWith('SCAN'))).toEqual(['SCAN c'])
})
