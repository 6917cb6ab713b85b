import { putAttributes } from '../doors/put-attributes.ts'
import { type DoorDeps, putText } from '../doors/put-text.ts'
import { MemoryError } from '../errors.ts'
import type { DoorDocument } from '../port/doors.ts'
import type { ReadTx } from '../port/store.ts'
import type { PutContext } from '../put.ts'
import { changedFields, type Field } from './change.ts'
import type { RecordLimits } from './limits.ts'
import { attributesOf, type RecordAttributes } from './model.ts'
import { checkRoom } from './room.ts'

/** What the operations on records need. */
export interface RecordDeps extends DoorDeps {
  /** Makes a UUID (version 4), in lower case. */
  randomId: () => string
  /** As the settings are now. */
  limits: () => RecordLimits
  /** By how much a record's nodes are warmed when it is asked for. */
  boost: () => number
}

export function recordAddress(id: string): { kind: 'record'; id: string } {
  return { kind: 'record', id }
}

/** Archived ones too. */
export async function getRecord(tx: ReadTx, id: string): Promise<DoorDocument> {
  const document = await tx.findDoorDocument(recordAddress(id))
  if (document?.state === 'live') return document
  throw new MemoryError('NOT_FOUND', `Memory not found: ${id}; query_memories lists those that are there`)
}

export interface RecordPut {
  id: string
  /** Undefined: it is new. */
  before: DoorDocument | undefined
  /** Undefined: as it was. */
  content: string | undefined
  attributes: RecordAttributes
}

/** Stores what is different, if anything is; tells what. */
export async function putRecord(deps: RecordDeps, context: PutContext, put: RecordPut): Promise<Field[]> {
  const { before, content, attributes } = put
  const old = before && { content: before.text ?? '', attributes: attributesOf(before) }
  const next = { content: content === undefined ? (old?.content ?? '') : deps.redact(content), attributes }
  const fields = old ? changedFields(old, next) : []
  if (old && fields.length === 0) return fields
  await checkRoom(context.tx, deps.limits(), old, next)
  if (before && !fields.includes('content')) await putAttributes(deps, context, before, attributes)
  // As it was given: its marks are read before its secrets are taken out.
  else
    await putText(deps, context, {
      address: recordAddress(put.id),
      text: content ?? next.content,
      attributes,
    })
  return fields
}
