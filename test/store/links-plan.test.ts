import { expect, onTestFinished, test } from 'vitest'
import { openHandle } from '../../src/store/sqlite/driver.ts'
import { OTHERS } from '../../src/store/sqlite/link-rows.ts'
import { migrate } from '../../src/store/sqlite/migrate.ts'

test('whether an edge is gone is told by the few links of its source, not by the many of its target', () => {
  const db = openHandle(':memory:')
  onTestFinished(() => void db.close())
  migrate(db, 0)
  const plan = db.prepare<[], { detail: string }>(`EXPLAIN QUERY PLAN ${OTHERS.replaceAll('?', '1')}`).all()
  expect(plan.map(({ detail }) => detail)).toEqual([
    'SEARCH links USING INDEX links_by_source (source_key=?)',
  ])
})
