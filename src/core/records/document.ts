import { putAttributes } from '../doors/put-attributes.ts'
import { type DoorDeps, type PreparedText, prepareText, putText } from '../doors/put-text.ts'
import { MemoryError } from '../errors.ts'
import type { DoorDocument } from '../port/doors.ts'
import type { ReadTx } from '../port/store.ts'
import { documentAt } from '../write/documents.ts'
import type { PutContext, PutFacts } from '../write/put.ts'
import { changedFields, type Field } from './change.ts'
import type { RecordLimits } from './limits.ts'
import { attributesOf, type RecordAttributes, type RecordDocument } from './model.ts'
import { checkRoom, type UsedRoom, usedRoom } from './room.ts'

/** Dependencies of changes to records. */
export interface RecordDeps extends DoorDeps {
  /** Returns a UUID (version 4), in lower case. */
  randomId: () => string
  /** The current settings. */
  limits: () => RecordLimits
  /** How much a record's nodes are warmed by an access. */
  boost: () => number
}

export function recordAddress(id: string): { kind: 'record'; id: string } {
  return { kind: 'record', id }
}

/** Includes archived records. */
export async function getRecord(tx: ReadTx, id: string): Promise<DoorDocument> {
  const document = await documentAt(tx, recordAddress(id), 'whole')
  if (document?.state === 'live') return document
  throw new MemoryError('NOT_FOUND', `Memory not found: ${id}; query_memories lists the existing ones`)
}

export interface RecordPut {
  id: string
  /** Undefined: it is new. */
  before: RecordDocument | undefined
  /** Undefined: unchanged. */
  content: PreparedText | undefined
  attributes: RecordAttributes
  limits: RecordLimits
}

/** Facts that were read together with the record. */
export interface RecordFacts {
  put?: PutFacts | undefined
  room?: UsedRoom | undefined
}

/** Stores the differences, if any; returns the changed fields and the resulting record. */
export async function putRecord(
  context: PutContext,
  put: RecordPut,
  facts: RecordFacts = {},
): Promise<{ fields: Field[]; document: RecordDocument }> {
  const { id, before, content, attributes, limits } = put
  const { core } = limits.room
  const old = before && { content: before.text ?? '', attributes: attributesOf(before) }
  const next = { content: content?.text ?? old?.content ?? '', attributes }
  const fields = old ? changedFields(old, next) : []
  if (before && fields.length === 0) return { fields, document: before }
  await checkRoom({ core, before: old, after: next }, async () => facts.room ?? usedRoom(context.tx, core))
  const isNewContent = content && (!before || fields.includes('content'))
  if (!before && !isNewContent) throw new Error('a new record needs content')
  const stored = isNewContent
    ? await putText(context, { address: recordAddress(id), ...content, attributes }, facts.put)
    : await putAttributes(context, before as RecordDocument, attributes, facts.put?.contents.documents)
  return { fields, document: { ...stored, attributes, text: next.content } }
}

/** Prepares the content of a record, before the transaction. */
export async function prepareContent(
  { prepare }: DoorDeps,
  content: string | undefined,
): Promise<PreparedText | undefined> {
  return content === undefined ? undefined : prepare(prepareText, { text: content })
}
