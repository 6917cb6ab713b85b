import { expect, onTestFinished, test } from 'vitest'
import { openHandle } from '../../src/store/sqlite/database/driver.ts'
import { migrate } from '../../src/store/sqlite/database/migrate.ts'
import { linksSql } from '../../src/store/sqlite/links/link-rows.ts'

function planOf(sql: string): string[] {
  const db = openHandle(':memory:')
  onTestFinished(() => void db.close())
  migrate(db, 0)
  const parameters = { list: '[]', newest: 1, source: 1, id: 1, limit: 1 }
  const plan = db.prepare<[object], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).all(parameters)
  return plan.map(({ detail }) => detail)
}

test.each(['leading', 'pending'] as const)(
  'a page of links is read in the order of an index: %s',
  (shape) => {
    expect(planOf(linksSql(shape, 'ends'))).toEqual([
      expect.stringMatching(/^SEARCH l USING INDEX links_by_source \(source_key>\?/),
    ])
  },
)

test.each([
  ['out', 'links_by_source', 'source_key'],
  ['in', 'links_by_target', 'target_key'],
] as const)('links at nodes are found by index, and no others are read: %s', (shape, index, end) => {
  const plan = planOf(linksSql(shape, 'ends'))
  expect(plan.filter((detail) => /SCAN (?!j)|TEMP B-TREE|nodes/.test(detail))).toEqual([])
  expect(plan).toContain(`SEARCH l USING INDEX ${index} (${end}=? AND rowid>?)`)
})
