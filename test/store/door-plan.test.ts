import type { Database } from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import type { DocumentPage, DocumentQuery } from '../../src/core/port/documents.ts'
import { documentReads } from '../../src/store/sqlite/document-reads.ts'
import { doorPages } from '../../src/store/sqlite/door-pages.ts'
import { doorTotals } from '../../src/store/sqlite/door-totals.ts'
import { openHandle } from '../../src/store/sqlite/driver.ts'
import { migrate } from '../../src/store/sqlite/migrate.ts'

const COUNTED = [
  [0, 'core'],
  [0, 'learning'],
  [0, 'task'],
  [1, 'task'],
]

/** A memory that knows of records of every type, and what it is asked. */
function openAsked() {
  const db = openHandle(':memory:')
  onTestFinished(() => void db.close())
  migrate(db, 0)
  for (const [archived, type] of COUNTED)
    db.prepare(`INSERT INTO door_counts VALUES (1, 'record', 'live', ?, ?, 'low', '', 1, 1)`).run(
      archived,
      type,
    )
  const asked: string[] = []
  const prepare = db.prepare.bind(db) as (sql: string) => ReturnType<Database['prepare']>
  db.prepare = ((sql: string) => {
    asked.push(sql)
    return prepare(sql)
  }) as Database['prepare']
  const planOf = (sql: string): string[] => {
    const names = [...sql.matchAll(/@(\w+)/g)].map(([, name = '']) => [name, 0])
    const rows = prepare(`EXPLAIN QUERY PLAN ${sql}`).all(Object.fromEntries(names)) as { detail: string }[]
    return rows.map(({ detail }) => detail)
  }
  const context = { db, spaceId: 1, ownerId: 1, owner: 'local', now: () => 0, hash: () => 0n }
  return { context, plans: () => asked.map(planOf) }
}

const inUse = (type?: string): DocumentQuery => ({
  kind: 'record',
  where: [
    { attribute: 'archived', in: [false] },
    ...(type === undefined ? [] : [{ attribute: 'type', in: [type] } as const]),
  ],
})
const last = (by: DocumentPage['sort'][number]['by']): DocumentPage => ({
  sort: [{ by, descending: true }],
  limit: 10,
})

test.each<[string, DocumentQuery, DocumentPage, string]>([
  ['recent', inUse(), last('accessed'), 'records_by_access'],
  ['all of them, archived too', { kind: 'record' }, last('accessed'), 'records_by_access'],
  ['active tasks', inUse('task'), last('updated'), 'records_by_update'],
  ['newest', inUse(), last('created'), 'records_by_creation'],
  ['oldest', inUse(), { sort: [{ by: 'created' }], limit: 1 }, 'records_by_creation'],
  ['most accessed', { ...inUse(), wasAccessed: true }, last('accesses'), 'records_by_accesses'],
  [
    'completed tasks',
    { ...inUse('task'), since: { at: 1, any: ['completed_at'] } },
    last('completed_at'),
    'records_by_completion',
  ],
  [
    'what is to be archived',
    { ...inUse('learning'), until: { at: 1, all: ['accessed', 'updated'] } },
    { sort: [{ by: 'accessed' }], limit: 200 },
    'records_by_access',
  ],
])('records, %s: in the order of an index, none is sorted', (_, query, page, index) => {
  const { context, plans } = openAsked()
  doorPages(context).idsOf(query, page)
  const plan = plans().flat()
  expect(plan.join('\n')).toContain(`SEARCH d USING INDEX ${index} (`)
  expect(plan.filter((detail) => /SCAN|TEMP B-TREE/.test(detail))).toEqual([])
})

test('keys with a tag come in the order of their tags', () => {
  const { context, plans } = openAsked()
  doorPages(context).idsOf(
    { kind: 'key', tags: ['t'], after: { id: 5 } },
    { sort: [{ by: 'id' }], limit: 10 },
  )
  expect(plans().flat()).toEqual([
    'SEARCH g USING PRIMARY KEY (tag=? AND document_id>?)',
    'SEARCH d USING INTEGER PRIMARY KEY (rowid=?)',
  ])
})

test('all keys come in the order of their names, and none is sorted', () => {
  const { context, plans } = openAsked()
  doorPages(context).idsOf(
    { kind: 'key', states: ['live', 'erased'], notExpiredAt: 5, after: { name: 'a' } },
    { sort: [{ by: 'name' }], limit: 10 },
  )
  const plan = plans().flat()
  expect(plan.join('\n')).toMatch(/^SEARCH d USING INDEX \w+ \(.*name>\?\)/m)
  expect(plan.filter((detail) => /SCAN|TEMP B-TREE/.test(detail))).toEqual([])
})

test('what has expired is found by when it does', () => {
  const { context, plans } = openAsked()
  doorPages(context).idsOf({ kind: 'key', expiredAt: 5 }, { sort: [{ by: 'id' }], limit: 10 })
  expect(plans().flat()[0]).toBe('SEARCH d USING INDEX documents_by_expiry (<expr><?)')
})

test('what expires next is found without a sort', () => {
  const { context, plans } = openAsked()
  doorPages(context).idsOf({ kind: 'key', expiredAt: 5 }, { sort: [{ by: 'expires_at' }], limit: 1 })
  expect(plans().flat()).toEqual(['SEARCH d USING INDEX documents_by_expiry (<expr><?)'])
})

test('the files of a root come in the order of their paths, and those of a folder at their cost', () => {
  const { context, plans } = openAsked()
  const { documents } = documentReads(context)
  const states = ['live', 'removed', 'erased'] as const
  documents({ kind: 'source', states, root: '.' }, 'row')
  documents({ kind: 'source', states, root: '.', scope: 'docs' }, 'row')
  documents({ kind: 'source' }, 'size')
  const [all = [], some = [], sizes = []] = plans()
  expect(all).toEqual([expect.stringMatching(/^SEARCH d USING INDEX .*collection=\?\)$/)])
  expect(some).toEqual([expect.stringMatching(/^SEARCH d USING INDEX .*name>\? AND name<\?\)$/)])
  expect(sizes).toHaveLength(2)
  expect(sizes.join()).not.toContain('B-TREE')
})

test('no document is read to tell how many there are', () => {
  const { context, plans } = openAsked()
  const totals = doorTotals(context)
  totals.totals({ kind: 'key', states: ['live', 'erased'] })
  totals.totals(inUse('core'))
  totals.totals({ kind: 'record' }, { bytes: true })
  totals.totals(inUse(), { by: 'importance' })
  totals.totals(inUse(), { by: 'tag', limit: 10 })
  const plan = plans().flat()
  expect(plan.filter((detail) => / [dg] /.test(detail))).toEqual([])
  expect(plan).toContain('SEARCH tag_counts USING PRIMARY KEY (owner_id=? AND kind=?)')
})
