import { expect, onTestFinished, test } from 'vitest'
import { openHandle } from '../../src/store/sqlite/driver.ts'
import { LINKS_AFTER } from '../../src/store/sqlite/links.ts'
import { migrate } from '../../src/store/sqlite/migrate.ts'

function planOf(sql: string): string[] {
  const db = openHandle(':memory:')
  onTestFinished(() => void db.close())
  migrate(db, 0)
  const plan = db.prepare<[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql.replaceAll('?', '1')}`).all()
  return plan.map(({ detail }) => detail)
}

test('a page of edges reads them in the order of an index, and sorts no more than those of one source', () => {
  expect(planOf(LINKS_AFTER)).toEqual([
    'SEARCH l USING INDEX links_by_source (source_key>?)',
    'SEARCH s USING INTEGER PRIMARY KEY (rowid=?)',
    'SEARCH t USING INTEGER PRIMARY KEY (rowid=?)',
    'USE TEMP B-TREE FOR LAST 3 TERMS OF ORDER BY',
  ])
})
