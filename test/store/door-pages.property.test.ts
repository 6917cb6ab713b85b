import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { DocumentPage, DocumentQuery } from '../../src/core/port/documents.ts'
import type { Attributes } from '../../src/core/port/doors.ts'
import type { WriteTx } from '../../src/core/port/store.ts'
import type { StoredDocument } from '../../src/core/port/stored.ts'
import { bySort, fitsQuery, totalsBy } from '../../src/core/rows/document-query.ts'
import { openHandle } from '../../src/store/sqlite/database/driver.ts'
import { migrate } from '../../src/store/sqlite/database/migrate.ts'
import { openContext } from '../../src/store/sqlite/database/open.ts'
import { writeQueries } from '../../src/store/sqlite/transaction.ts'
import { contentDigest } from '../../src/util/text/hash.ts'
import { hash, openSnapshot } from '../support/store-changes.ts'

const TYPES = ['core', 'learning', 'task']
const IMPORTANCES = ['low', 'medium', 'high']
const TIMES = ['created', 'updated', 'accessed', 'completed_at'] as const
/** Few, so that many things happen at the same time. */
const time = fc.integer({ min: 1, max: 12 })

interface Given {
  attributes: Attributes
  text: string
  made: number
  /** How long after it was made. */
  changed: number | undefined
  touched: { at: number; times: number } | undefined
  isRemoved: boolean
}

const attributes = fc.record(
  {
    archived: fc.boolean(),
    type: fc.constantFrom(...TYPES),
    importance: fc.constantFrom(...IMPORTANCES),
    status: fc.constantFrom('open', 'done'),
    completed_at: time,
    tags: fc.subarray(['one', 'two', 'three']),
  },
  { requiredKeys: ['archived', 'type', 'importance', 'tags'] },
)
/** As an import may bring them. */
const oddAttributes = fc.record(
  {
    archived: fc.constantFrom<unknown>(true, false, 1, '1', 'yes', ''),
    type: fc.constantFrom<unknown>(...TYPES, 7, '7', '', true, { a: 1 }, 'a', 'b', 'c', 'd', 'e'),
    importance: fc.constantFrom<unknown>('high', 3, '', null),
    tags: fc.subarray(['one', 'two']),
  },
  { requiredKeys: ['tags'] },
) as fc.Arbitrary<Attributes>

const recordOf = (some: fc.Arbitrary<Attributes>): fc.Arbitrary<Given> =>
  fc.record({
    attributes: some,
    text: fc.constantFrom('', 'word', 'wörter'),
    made: time,
    changed: fc.option(fc.nat(3), { nil: undefined }),
    touched: fc.option(fc.record({ at: time, times: fc.integer({ min: 1, max: 3 }) }), { nil: undefined }),
    isRemoved: fc.integer({ min: 0, max: 9 }).map((one) => one === 0),
  })
const records = fc.oneof(
  { weight: 4, arbitrary: fc.array(recordOf(attributes), { maxLength: 60, size: 'max' }) },
  {
    weight: 1,
    arbitrary: fc.array(recordOf(fc.oneof(attributes, oddAttributes)), { maxLength: 40, size: 'max' }),
  },
)

const some = <T>(...values: T[]) => fc.subarray(values, { minLength: 1 })
const condition = fc.oneof(
  fc.record({ attribute: fc.constant('archived' as const), in: some<boolean | null>(true, false) }),
  fc.record({ attribute: fc.constant('archived' as const), in: fc.constant([false]) }),
  fc.record({ attribute: fc.constant('type' as const), in: some<string | null>(...TYPES, null, 'none') }),
  fc.record({ attribute: fc.constant('type' as const), in: some(...TYPES) }),
  fc.record({ attribute: fc.constant('importance' as const), in: some(...IMPORTANCES) }),
  fc.record({ attribute: fc.constant('status' as const), in: some<string | null>('open', null) }),
)
const query: fc.Arbitrary<DocumentQuery> = fc.record(
  {
    kind: fc.constant('record' as const),
    where: fc.array(condition, { maxLength: 3 }),
    since: fc.record({ at: time, any: fc.shuffledSubarray([...TIMES], { minLength: 1 }) }),
    until: fc.record({ at: time, all: fc.shuffledSubarray([...TIMES], { minLength: 1 }) }),
    wasAccessed: fc.constant(true as const),
    tags: fc.subarray(['one', 'two'], { minLength: 1 }),
  },
  { requiredKeys: ['kind'] },
)
const page: fc.Arbitrary<DocumentPage> = fc.record(
  {
    sort: fc.array(
      fc.record(
        { by: fc.constantFrom(...TIMES, 'accesses', 'importance', 'id', 'name'), descending: fc.boolean() },
        { requiredKeys: ['by'] },
      ),
      { minLength: 1, maxLength: 2 },
    ),
    limit: fc.oneof(fc.nat(8), fc.constant(Number.MAX_SAFE_INTEGER)),
    offset: fc.nat(10),
  },
  { requiredKeys: ['sort', 'limit'] },
)

const ONE: Given = {
  attributes: { archived: false, type: 'core', importance: 'low', tags: [] },
  text: 'word',
  made: 1,
  changed: undefined,
  touched: undefined,
  isRemoved: false,
}
/** Records of one sort only, and no page at all. */
const SEARCHES: [DocumentQuery, DocumentPage][] = [5, 0].map((limit) => [
  { kind: 'record' },
  { sort: [{ by: 'created' }], limit },
])

/** A transaction that nobody ends. */
function asked(queries: ReturnType<typeof writeQueries>): WriteTx {
  const answered = Object.entries(queries).map(([name, query]) => [
    name,
    async (...args: unknown[]) => (query as (...args: unknown[]) => unknown)(...args),
  ])
  return Object.fromEntries(answered) as WriteTx
}

/** A memory that holds these records, and what can be asked of it. */
async function openWith(given: readonly Given[]) {
  const db = openHandle(':memory:')
  migrate(db, 0)
  const queries = writeQueries(openContext(db, hash, () => 0))
  queries.begin()
  const { tx, id } = await openSnapshot(asked(queries))
  for (const [at, { attributes, text, made, changed, touched, isRemoved }] of given.entries()) {
    const put = { address: { kind: 'record', id: `r${at}` } as const, text, digest: contentDigest(text) }
    const [row] = await tx.putDocuments(
      [{ ...put, attributes: changed === undefined ? attributes : {}, at: made }],
      id,
    )
    const documentId = row?.id as number
    if (changed !== undefined) await tx.putDocuments([{ ...put, attributes, at: made + changed }], id)
    if (touched) queries.commit({ accesses: [{ documentId, ...touched }] })
    if (isRemoved) await tx.dropDocument(documentId, id)
  }
  return {
    queries,
    texts: new Map(given.map(({ text }, at) => [`r${at}`, text])),
    [Symbol.dispose]: () => db.close(),
  }
}

const idOf = ({ address }: StoredDocument): string => (address.kind === 'record' ? address.id : '')

const pageOf = (
  documents: readonly StoredDocument[],
  { limit, offset = 0 }: DocumentPage,
): StoredDocument[] => documents.slice(offset, offset + limit)

test('a page of records, and what is told of all of them, is what looking at each of them gives', async () => {
  await fc.assert(
    fc.asyncProperty(
      records,
      fc.array(fc.tuple(query, page), { maxLength: 30, size: 'max' }),
      async (given, asked) => {
        using at = await openWith(given)
        const { queries } = at
        const documents = (query: DocumentQuery, page: DocumentPage) =>
          queries.documents(query, 'stored', page) as StoredDocument[]
        const all = documents({ kind: 'record' }, { sort: [{ by: 'id' }], limit: 1000 })
        expect(all).toHaveLength(given.filter(({ isRemoved }) => !isRemoved).length)
        for (const [query, page] of asked) {
          const found = all.filter((document) => fitsQuery(document, query))
          const shown = pageOf(found.toSorted(bySort(page.sort)), page).map(idOf)
          expect(documents(query, page).map(idOf)).toEqual(shown)
          const paged = queries.documents(query, 'stored', { ...page, total: true })
          expect((paged as StoredDocument[]).map(idOf)).toEqual(shown)
          expect(paged.every(({ total }) => total === found.length)).toBe(true)
          expect(queries.totals(query)).toEqual([{ value: null, count: found.length, bytes: 0 }])
          const bytes = found.map((one) => Buffer.byteLength(at.texts.get(idOf(one)) ?? ''))
          expect(queries.totals(query, { bytes: true })).toMatchObject([
            { count: found.length, bytes: bytes.reduce((sum, one) => sum + one, 0) },
          ])
          for (const by of ['type', 'importance', 'archived', 'status', 'tag'] as const)
            expect(queries.totals(query, { by })).toEqual(totalsBy(found, by))
        }
      },
    ),
    { numRuns: 30, endOnFailure: true, examples: [[[ONE], SEARCHES]] },
  )
})
