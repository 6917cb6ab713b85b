import type { PreparedText } from '../doors/put-text.ts'
import { needs } from '../errors.ts'
import { mutate, snapshotOperation } from '../write/operation.ts'
import { factsFor } from '../write/put.ts'
import { changedAttributes } from './change.ts'
import { checkChoice, checkId, checkRecord, type RecordInput } from './check.ts'
import { getRecord, prepareContent, putRecord, type RecordDeps, recordAddress } from './document.ts'
import type { RecordLimits } from './limits.ts'
import { attributesOf, RECORD_TYPES, type RecordJson, type RecordType, toRecordJson } from './model.ts'
import { usedRoom } from './room.ts'

export interface StoreRecordInput extends Omit<RecordInput, 'archived'> {
  type: RecordType
  content: string
  /** The record to change; missing fields stay as they are. Missing: a new record. */
  id?: string
}

export interface StoredRecord {
  id: string
  /** False: it existed. */
  created: boolean
  memory: RecordJson
}

/** Stores a new record, or changes an existing one. Does not count as an access. */
export async function storeRecord(deps: RecordDeps, input: StoreRecordInput): Promise<StoredRecord> {
  needs(input?.content !== undefined, 'store_memory needs { type, content }')
  const type = checkChoice('type', RECORD_TYPES, input.type)
  const { content, ...changes } = checkRecord(deps, input)
  const known = input.id === undefined ? undefined : checkId(input.id)
  const id = known ?? deps.randomId()
  const { value } = await mutate(deps, putWholeRecord, {
    ...{ operation: 'record', message: `store:${id}` },
    input: {
      ...{ id, isNew: known === undefined, changes: { ...changes, type } },
      ...{ content: await prepareContent(deps, content), limits: deps.limits() },
    },
  })
  return { id, created: known === undefined, memory: toRecordJson(value) }
}

interface PutRecordInput {
  id: string
  isNew: boolean
  changes: Parameters<typeof changedAttributes>[1]
  content: PreparedText | undefined
  limits: RecordLimits
}

export const putWholeRecord = snapshotOperation(
  'store-record',
  async (context, { id, isNew, changes, content, limits }: PutRecordInput) => {
    const { tx, at } = context
    const [before, put, room] = await Promise.all([
      isNew ? undefined : getRecord(tx, id),
      content && factsFor(context, [{ address: recordAddress(id), ...content }]),
      changes.type === 'core' ? usedRoom(tx, limits.room.core) : undefined,
    ])
    const attributes = changedAttributes(before && attributesOf(before), changes, at)
    const { document } = await putRecord(context, { id, before, content, attributes, limits }, { put, room })
    return document
  },
)
