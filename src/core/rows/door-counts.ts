import { tagWord } from '../find/query/tags.ts'
import type { DocumentCondition, DocumentQuery } from '../port/documents.ts'
import type { Attributes } from '../port/doors.ts'
import type { StoredDocument } from '../port/stored.ts'
import type { DocumentWrite, DoorClass, WriteSet } from '../port/write-set.ts'
import { addTo } from './counters.ts'

/** Documents of other doors are not counted. */
const COUNTED_KINDS: readonly string[] = ['key', 'record']

/** The attributes by which documents are counted, besides their kind and state. */
export const COUNTED_ATTRIBUTES = ['archived', 'type', 'importance', 'status'] as const

/** The fields by which a document is counted. */
type CountedDocument = Pick<StoredDocument, 'state' | 'attributes' | 'textBytes'> & {
  address: Pick<StoredDocument['address'], 'kind'>
}

/** The changes of the counts of keys and records, and of their tags. Counting again would cost the whole memory. */
export function doorCounts(writes: readonly DocumentWrite[]): Pick<WriteSet, 'doorCounts' | 'tagCounts'> {
  const counts = createDoorCounts()
  for (const { before, after } of writes) {
    if (before) counts.count(before, -1)
    counts.count(after, 1)
  }
  return counts.changes()
}

/** Adds and subtracts documents. Only records have a limit on their total size. */
export function createDoorCounts() {
  const classes = new Map<string, { count: number; bytes: number }>()
  const tags = new Map<string, number>()
  return {
    count(document: CountedDocument, sign: 1 | -1): void {
      const name = classOf(document)
      if (!name) return
      const counted = classes.get(JSON.stringify(name)) ?? { count: 0, bytes: 0 }
      const bytes = counted.bytes + sign * (name.kind === 'record' ? document.textBytes : 0)
      classes.set(JSON.stringify(name), { count: counted.count + sign, bytes })
      for (const tag of countedTags(document)) addTo(tags, JSON.stringify([name.kind, tag]), sign)
    },
    changes: (): Pick<WriteSet, 'doorCounts' | 'tagCounts'> => ({
      doorCounts: [...classes]
        .filter(([, { count, bytes }]) => count !== 0 || bytes !== 0)
        .map(([name, counts]) => ({ ...(JSON.parse(name) as DoorClass), ...counts })),
      tagCounts: [...tags]
        .filter(([, count]) => count !== 0)
        .map(([name, count]) => {
          const [kind, tag] = JSON.parse(name) as [string, string]
          return { kind, tag, count }
        }),
    }),
  }
}

function classOf({ address, state, attributes }: CountedDocument): DoorClass | undefined {
  if (!COUNTED_KINDS.includes(address.kind) || state === 'removed') return undefined
  const { archived, type, importance, status } = attributes ?? {}
  return {
    ...{ kind: address.kind, state, archived: plain(archived), type: plain(type) },
    ...{ importance: plain(importance), status: plain(status) },
  }
}

/** The form in the index of attributes. */
export function plain(value: unknown): string | number {
  if (value === undefined || value === null) return ''
  if (typeof value === 'boolean') return Number(value)
  return typeof value === 'string' || typeof value === 'number' ? value : JSON.stringify(value)
}

/** Tags of archived records are not shown. */
function countedTags({ address, state, attributes }: CountedDocument): Set<string> {
  const isShown = state === 'live' && (address.kind === 'key' || plain(attributes?.archived) === 0)
  return new Set(isShown ? tagsOf(attributes) : [])
}

/** The tags by which a document is found. */
export function tagRows(attributes: Attributes | null): { tag: string; word: string }[] {
  return [...new Set(tagsOf(attributes))].map((tag) => ({ tag, word: tagWord(tag) }))
}

export function tagsOf(attributes: Attributes | null): readonly string[] {
  return attributes?.tags ?? []
}

/**
 * Whether `doorCounts` has the number of documents that a query selects; with `by`, for each value of that attribute.
 */
export function isDoorCount(
  { kind, states = ['live'], where = [], ...others }: DocumentQuery,
  by?: string,
): boolean {
  const isCountedBy = (name: string): boolean => COUNTED_ATTRIBUTES.some((one) => one === name)
  return (
    COUNTED_KINDS.includes(kind) &&
    !states.includes('removed') &&
    isPlain(others) &&
    (by === undefined || isCountedBy(by)) &&
    where.every(({ attribute, in: values }) => {
      return isCountedBy(attribute) && values.every((value) => value !== null && value !== '')
    })
  )
}

/** Whether `tagCounts` has the number of documents of a query with each tag, including expired ones. */
export function isTagCount(query: DocumentQuery): boolean {
  const { kind, states = ['live'], where = [], notExpiredAt: _, ...others } = query
  if (!isPlain(others) || states.join() !== 'live') return false
  return kind === 'key' ? where.length === 0 : kind === 'record' && where.length === 1 && where.every(isInUse)
}

function isPlain(conditions: object): boolean {
  return Object.values(conditions).every((condition) => condition === undefined)
}

function isInUse({ attribute, in: values }: DocumentCondition): boolean {
  return attribute === 'archived' && values.length === 1 && values[0] === false
}
