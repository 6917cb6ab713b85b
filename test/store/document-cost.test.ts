import { expect, onTestFinished, test } from 'vitest'
import type { DocumentPage, DocumentQuery } from '../../src/core/port/documents.ts'
import { openHandle } from '../../src/store/sqlite/database/driver.ts'
import { migrate } from '../../src/store/sqlite/database/migrate.ts'
import { documentReads } from '../../src/store/sqlite/documents/document-reads.ts'

/** Documents of each kind. */
const MANY = 300
const CLASSES = [
  [0, 'core'],
  [0, 'learning'],
  [0, 'task'],
  [1, 'task'],
] as const

function documentsAt(at: number) {
  const [archived, type] = CLASSES[at % CLASSES.length] ?? []
  const name = String(at).padStart(4, '0')
  return [
    { kind: 'record', name, attributes: { archived: archived === 1, type, completed_at: at } },
    {
      ...{ kind: 'key', name },
      attributes: { tags: ['t'], expires_at: 1000 + MANY - at, client: at % 50 === 0 ? 'few' : 'many' },
    },
    { kind: 'file', collection: '["m","global",""]', name: `/folder ${at % 3}/${at}`, attributes: {} },
    { kind: 'source', collection: '.', name: `docs/${at % 30}/${at}`, attributes: {} },
  ]
}

/**
 * A memory with many records, keys, files and sources, and how many of their rows a question reads. A table of the same name is found
 * among temporary ones first: each row that an index leads to is counted in a view.
 */
function openCounting() {
  const db = openHandle(':memory:')
  onTestFinished(() => void db.close())
  migrate(db, 0)
  const insert = db.prepare(`INSERT INTO documents
      (space_id, owner_id, kind, collection, name, state, revision, created_at, updated_at, attributes, appended, accesses)
    VALUES (1, 1, @kind, @collection, @name, 'live', 1, @at, @at, @attributes, 0, @accesses)`)
  for (let at = 1; at <= MANY; at++)
    for (const document of documentsAt(at)) {
      const attributes = JSON.stringify(document.attributes)
      insert.run({ collection: '', ...document, attributes, at, accesses: at % 2 })
    }
  db.exec(
    `INSERT INTO document_tags (tag, document_id, word) SELECT 't', id, 't' FROM documents WHERE kind = 'key'
    UNION ALL SELECT 'rare', id, 'rare' FROM documents WHERE kind = 'key' AND id % 50 = 2`,
  )
  for (const [archived, type] of CLASSES)
    db.prepare(`INSERT INTO door_counts VALUES (1, 'record', 'live', ?, ?, 'low', '', ${MANY / 4}, 1)`).run(
      archived,
      type,
    )
  db.exec(`INSERT INTO door_counts VALUES (1, 'key', 'live', '', '', '', '', ${MANY}, 0);
    INSERT INTO tag_counts VALUES (1, 'record', 't', ${MANY})`)
  let rows = 0
  db.function('counted', { deterministic: false }, () => {
    rows++
    return 1
  })
  const context = { db, spaceId: 1, ownerId: 1, owner: 'local', now: () => 0, hash: () => 0n }
  const count = () =>
    db.exec(`PRAGMA trusted_schema = ON;
      CREATE TEMP VIEW documents AS SELECT * FROM main.documents WHERE counted();
      CREATE TEMP VIEW document_tags AS SELECT * FROM main.document_tags WHERE counted()`)
  return { reads: documentReads(context), count, rows: () => rows }
}

const inUse = (type?: string): DocumentQuery => ({
  kind: 'record',
  where: [
    { attribute: 'archived', in: [false] },
    ...(type === undefined ? [] : [{ attribute: 'type', in: [type] } as const]),
  ],
})
const ofClient = (client: string): DocumentQuery => ({
  ...{ kind: 'key', states: ['live', 'erased'] },
  where: [{ attribute: 'client', in: [client] }],
})
const LIMIT = 5
const last = (by: DocumentPage['sort'][number]['by']): DocumentPage => ({
  sort: [{ by, descending: true }],
  limit: LIMIT,
})
const first = (by: DocumentPage['sort'][number]['by']): DocumentPage => ({ sort: [{ by }], limit: LIMIT })

test.each<[string, DocumentQuery, DocumentPage]>([
  ['records in use, last accessed', inUse(), last('accessed')],
  ['records in use, how many there are', inUse(), { ...last('accessed'), total: true }],
  ['all records, archived or not', { kind: 'record' }, last('accessed')],
  ['active tasks', inUse('task'), last('updated')],
  ['the newest records', inUse(), last('created')],
  ['the oldest records', inUse(), first('created')],
  ['records accessed since then', { ...inUse(), since: { at: 9, any: ['accessed'] } }, last('accessed')],
  [
    'learnings made or accessed since then',
    { ...inUse('learning'), since: { at: 9, any: ['created', 'accessed'] } },
    last('created'),
  ],
  ['the most accessed records', { ...inUse(), wasAccessed: true }, last('accesses')],
  ['completed tasks', { ...inUse('task'), since: { at: 1, any: ['completed_at'] } }, last('completed_at')],
  [
    'learnings to be archived',
    { ...inUse('learning'), until: { at: 250, all: ['accessed', 'updated'] } },
    first('accessed'),
  ],
  ['keys with a tag', { kind: 'key', tags: ['t'], after: { id: 400 } }, first('id')],
  ['keys with a rare tag and a common one', { kind: 'key', tags: ['rare', 't'] }, first('id')],
  [
    'keys by name',
    { kind: 'key', states: ['live', 'erased'], notExpiredAt: 5, after: { name: '0100' } },
    first('name'),
  ],
  ['keys of a client with few', ofClient('few'), first('name')],
  ['keys of a client with many', ofClient('many'), first('name')],
  ['keys that have expired', { kind: 'key', expiredAt: 1009 }, first('id')],
  ['keys that expire next', { kind: 'key', expiredAt: 5000 }, first('expires_at')],
  [
    'files below a folder',
    { kind: 'file', memory: { node: 'm', scope: 'global', thread: '' }, under: '/folder 1' },
    first('name'),
  ],
])('a page costs what it shows: %s', (_, query, page) => {
  const { reads, count, rows } = openCounting()
  const expected = reads.documents(query, 'row', page)
  count()
  expect(reads.documents(query, 'row', page)).toEqual(expected)
  expect(expected).toHaveLength(LIMIT)
  expect(rows()).toBeGreaterThanOrEqual(LIMIT)
  // Found in each class, or by a tag, and read.
  expect(rows()).toBeLessThanOrEqual((CLASSES.length + 1) * (LIMIT + 1))
})

test('rows that are sorted are counted here', () => {
  const { reads, count, rows } = openCounting()
  count()
  reads.documents(inUse(), 'row', last('importance'))
  expect(rows()).toBeGreaterThan(MANY / 2)
})

test('a record is found by its name among all others', () => {
  const { reads, count, rows } = openCounting()
  const query = { ...inUse(), name: '0102' }
  const page = { ...last('accessed'), total: true }
  const expected = reads.documents(query, 'row', page)
  count()
  expect(reads.documents(query, 'row', page)).toEqual(expected)
  expect(expected).toMatchObject([{ total: 1, address: { id: '0102' } }])
  // Found, and read.
  expect(rows()).toBe(2)
})

test('what other clients stored costs a client nothing, however many it asks for', () => {
  const { reads, count, rows } = openCounting()
  count()
  const own = reads.documents(ofClient('few'), 'row', { ...first('name'), limit: MANY })
  expect(own).toHaveLength(MANY / 50)
  // Found, and read.
  expect(rows()).toBeLessThanOrEqual(own.length * 2)
  expect(reads.documents(ofClient('nobody'), 'row', first('name'))).toEqual([])
  expect(rows()).toBeLessThanOrEqual(own.length * 2)
})

test('the files of a folder on disk cost what they are', () => {
  const { reads, count, rows } = openCounting()
  count()
  const states = ['live', 'removed', 'erased'] as const
  const found = reads.documents({ kind: 'source', states, root: '.', scope: 'docs/7' }, 'row')
  expect(found).toHaveLength(MANY / 30)
  expect(rows()).toBeLessThanOrEqual(MANY / 30 + 1)
})

test('no document is read to count them', () => {
  const { reads, count, rows } = openCounting()
  count()
  expect(reads.totals({ kind: 'key', states: ['live', 'erased'] })).toMatchObject([{ count: MANY }])
  expect(reads.totals(inUse('core'))).toMatchObject([{ count: MANY / 4 }])
  expect(reads.totals({ kind: 'record' }, { bytes: true })).toMatchObject([{ count: MANY, bytes: 4 }])
  expect(reads.totals(inUse(), { by: 'importance' })).toMatchObject([{ value: 'low' }])
  expect(reads.totals(inUse(), { by: 'tag', limit: 10 })).toMatchObject([{ value: 't', count: MANY }])
  expect(rows()).toBe(0)
})
