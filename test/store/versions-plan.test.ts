import { expect, onTestFinished, test } from 'vitest'
import { openHandle } from '../../src/store/sqlite/driver.ts'
import { migrate } from '../../src/store/sqlite/migrate.ts'
import { VERSIONS_AFTER } from '../../src/store/sqlite/versions.ts'

test('a page of versions begins at its place: those before it are not read', () => {
  const db = openHandle(':memory:')
  onTestFinished(() => void db.close())
  migrate(db, 0)
  const plan = db
    .prepare<[], { detail: string }>(`EXPLAIN QUERY PLAN ${VERSIONS_AFTER.replaceAll('?', '1')}`)
    .all()
    .map(({ detail }) => detail)
  expect(plan[0]).toMatch(/^SEARCH v USING INDEX versions_by_snapshot \(\(snapshot_id,node_key\)>\(\?,\?\)/)
  expect(plan.join()).not.toContain('TEMP B-TREE')
})
