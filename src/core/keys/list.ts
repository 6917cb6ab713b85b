import { decodeToken, encodeToken } from '../../util/text/base64.ts'
import { MemoryError } from '../errors.ts'
import { fitListed } from '../fit-json.ts'
import type { DoorDocument } from '../port/doors.ts'
import { keyOf } from './document.ts'
import { type KeyItem, keyItem } from './item.ts'
import { type KeyReadDeps, LARGE_TEXT_BYTES } from './model.ts'

const LIMIT = 100
const MAX_LIMIT = 500

export interface ListKeysInput {
  /** Default: all keys. */
  tag?: string
  /** From 1 to 500; other values are clamped. Default: 100. */
  limit?: number
  cursor?: string
  includeRedacted?: boolean
  /** Maximum length of the items as JSON, in characters: may return fewer than `limit`. Default: unlimited. */
  maxLength?: number
}

export interface KeyList {
  items: KeyItem[]
  count: number
  has_more: boolean
  /** Only if there is more. */
  next_cursor?: string
}

/** The end of a page: keys with a tag are ordered by id, all keys by name. */
type Cursor = { owner: string } & ({ tag: string; after: number } | { tag: null; after: string })

/**
 * The keys with a tag, oldest first, or all keys by name, one page at a time. Filters apply before paging. Both orders
 * have an index: a page costs what it shows.
 */
export async function listKeys(deps: KeyReadDeps, input: ListKeysInput): Promise<KeyList> {
  const tag = input.tag === undefined ? null : deps.redact(input.tag.toWellFormed())
  const limit = clamp(input.limit ?? LIMIT, 1, MAX_LIMIT)
  const cursor = input.cursor === undefined ? undefined : readCursor(input.cursor, tag)
  await deps.flushAccesses()
  const found = await deps.store.read((tx) =>
    tx.documents(
      {
        kind: 'key',
        states: input.includeRedacted ? ['live', 'erased'] : ['live'],
        ...(tag !== null && { tags: [tag] }),
        notExpiredAt: deps.now(),
        ...(cursor && { after: cursor.tag === null ? { name: cursor.after } : { id: cursor.after } }),
      },
      'whole',
      { sort: [{ by: tag === null ? 'name' : 'id' }], limit: limit + 1, maxTextBytes: LARGE_TEXT_BYTES },
    ),
  )
  if (cursor && found.some(({ owner }) => owner !== cursor.owner)) throw badCursor()
  const items = fitListed(found.slice(0, limit).map(keyItem), input.maxLength ?? Number.POSITIVE_INFINITY)
  const hasMore = found.length > items.length
  return {
    items,
    count: items.length,
    has_more: hasMore,
    ...(hasMore && { next_cursor: cursorAfter(found[items.length - 1] as DoorDocument, tag) }),
  }
}

export function clamp(value: number, min: number, max: number): number {
  return Math.min(max, Math.max(min, value))
}

/** The part of a tag that a cursor contains: a tag may be longer than an answer. */
const TAG_IN_CURSOR = 100

/** A cursor is valid for one owner's keys with one tag, or for all of them. */
function cursorAfter(document: DoorDocument, tag: string | null): string {
  const { owner, id } = document
  const cursor: Cursor =
    tag === null
      ? { owner, tag, after: keyOf(document) }
      : { owner, tag: tag.slice(0, TAG_IN_CURSOR), after: id }
  return encodeToken(cursor)
}

function readCursor(token: string, tag: string | null): Cursor {
  const cursor = Object(decodeToken(token)) as Partial<Cursor>
  const isPlace = tag === null ? typeof cursor.after === 'string' : Number.isSafeInteger(cursor.after)
  const isOurs =
    typeof cursor.owner === 'string' && cursor.tag === (tag?.slice(0, TAG_IN_CURSOR) ?? null) && isPlace
  if (!isOurs) throw badCursor()
  return cursor as Cursor
}

function badCursor(): MemoryError {
  return new MemoryError('INVALID_INPUT', 'Invalid pagination cursor')
}
