import { by, comparePlaces, type Place } from '../../util/text/order.ts'
import { placeOf } from '../address.ts'
import type {
  DocumentCondition,
  DocumentPage,
  DocumentQuery,
  DocumentSortKey,
  DocumentTotal,
  TotalOptions,
} from '../port/documents.ts'
import type { StoredDocument } from '../port/stored.ts'
import { plain, tagsOf } from './door-counts.ts'

/**
 * Defines a document query as a function of one document: for engines that scan documents, and for tests. Words and
 * nodes are left out: they are not part of the document.
 */
export function fitsQuery(document: StoredDocument, query: DocumentQuery): boolean {
  const { kind, states = ['live'], tags = [], where = [], wasAccessed } = query
  return (
    document.address.kind === kind &&
    states.includes(document.state) &&
    hasName(document, query) &&
    tags.every((tag) => tagsOf(document.attributes).includes(tag)) &&
    where.every((condition) => hasValue(document, condition)) &&
    fitsTimes(document, query) &&
    !(wasAccessed && document.accesses === 0)
  )
}

function hasName({ id, address }: StoredDocument, query: DocumentQuery): boolean {
  const { collection, name } = placeOf(address)
  const { root, scope, memory, under, name: only, after } = query
  if (root !== undefined && collection !== root) return false
  if (scope && name !== scope && !name.startsWith(`${scope}/`)) return false
  if (memory && collection !== placeOf({ kind: 'file', ...memory, path: '' }).collection) return false
  if (under && !name.startsWith(`${under}/`)) return false
  if (only !== undefined && name !== only) return false
  if (!after) return true
  return 'id' in after ? id > after.id : comparePlaces([name], [after.name]) > 0
}

function hasValue({ attributes }: StoredDocument, { attribute, in: values }: DocumentCondition): boolean {
  const value = attributeValue(attributes?.[attribute])
  return values.some((one) => attributeValue(one) === value)
}

/** The form in which attributes are compared and counted; null: none. */
export function attributeValue(value: unknown): string | number | null {
  return value === undefined || value === null ? null : plain(value)
}

function fitsTimes(document: StoredDocument, query: DocumentQuery): boolean {
  const { notExpiredAt, expiredAt, since, until } = query
  const expiresAt = expiryOf(document)
  if (notExpiredAt !== undefined && expiresAt !== null && expiresAt <= notExpiredAt) return false
  if (expiredAt !== undefined && (expiresAt === null || expiresAt > expiredAt)) return false
  const time = (by: DocumentSortKey): number => (sortValue(document, by) as number | null) ?? Number.NaN
  if (since && !since.any.some((one) => time(one) >= since.at)) return false
  return !until || until.all.every((one) => time(one) <= until.at)
}

/** Null: never. */
export function expiryOf({ attributes }: StoredDocument): number | null {
  return attributes?.expires_at ?? null
}

const IMPORTANCE = ['medium', 'high']

/** Null: no value. */
function sortValue(document: StoredDocument, by: DocumentSortKey): Place {
  const { id, address, createdAt, updatedAt, accesses, accessedAt, attributes } = document
  const values: Record<DocumentSortKey, () => Place> = {
    id: () => id,
    name: () => placeOf(address).name,
    created: () => createdAt,
    updated: () => updatedAt,
    accessed: () => accessedAt ?? createdAt,
    accesses: () => accesses,
    importance: () => IMPORTANCE.indexOf(String(attributes?.importance)),
    completed_at: () => (attributes?.completed_at as number | undefined) ?? null,
    expires_at: () => expiryOf(document),
  }
  return values[by]()
}

/** Documents that are equal in all keys come in order of creation, or the reverse. */
export function bySort(sort: DocumentPage['sort']): (a: StoredDocument, b: StoredDocument) => number {
  const terms = [
    ...sort.filter(({ by }) => by !== 'id'),
    { by: 'id' as const, descending: sort.at(-1)?.descending },
  ]
  return (a, b) => {
    for (const { by, descending } of terms) {
      const order = comparePlaces([sortValue(a, by)], [sortValue(b, by)])
      if (order !== 0) return descending ? -order : order
    }
    return 0
  }
}

type Value = NonNullable<TotalOptions['by']>

/** How many documents have each value, in the order of `totals`. Without one: how many there are, and the sum of their sizes. */
export function totalsBy(
  documents: readonly StoredDocument[],
  value: Value | undefined,
  bytesOf = (_: StoredDocument): number => 0,
): DocumentTotal[] {
  if (value === undefined) {
    const bytes = documents.reduce((sum, document) => sum + bytesOf(document), 0)
    return [{ value: null, count: documents.length, bytes }]
  }
  const values = documents.flatMap((document) => valuesOf(document, value))
  const groups = Map.groupBy(values, (one) => one)
  const totals = [...groups].map(([one, same]) => ({ value: one, count: same.length, bytes: 0 }))
  return totals.sort(by((total) => [-total.count, total.value]))
}

/** The values by which a document is counted; an empty text counts as none. */
function valuesOf({ address, attributes }: StoredDocument, value: Value): (string | null)[] {
  if (value === 'tag') return [...new Set(tagsOf(attributes))]
  const one = value === 'root' ? placeOf(address).collection : attributeValue(attributes?.[value])
  return [one === '' ? null : (one as string | null)]
}
