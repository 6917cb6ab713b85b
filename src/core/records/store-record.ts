import { needs } from '../errors.ts'
import { mutate } from '../operation.ts'
import { changedAttributes } from './change.ts'
import { checkChoice, checkId, checkRecord, type RecordInput } from './check.ts'
import { attributesOf, RECORD_TYPES, type RecordJson, type RecordType, toRecordJson } from './model.ts'
import { getRecord, putRecord, type RecordDeps } from './put-record.ts'

export interface StoreRecordInput extends Omit<RecordInput, 'archived'> {
  type: RecordType
  content: string
  /** Of the record to change; what is not given stays as it is. Missing: a new one. */
  id?: string
}

export interface StoredRecord {
  id: string
  /** False: it was there already. */
  created: boolean
  memory: RecordJson
}

/** Keeps something new, or puts something else in its place. Being stored is no access. */
export async function storeRecord(deps: RecordDeps, input: StoreRecordInput): Promise<StoredRecord> {
  needs(input?.content !== undefined, 'store_memory needs { type, content }')
  const type = checkChoice('type', RECORD_TYPES, input.type)
  const { content, ...changes } = checkRecord(deps, input)
  const known = input.id === undefined ? undefined : checkId(input.id)
  const id = known ?? deps.randomId()
  const about = { operation: 'record', message: `store:${id}` }
  const { value } = await mutate(deps, about, async (context) => {
    const { tx } = context
    const before = known === undefined ? undefined : await getRecord(tx, known)
    const attributes = changedAttributes(before && attributesOf(before), { ...changes, type }, deps.now())
    await putRecord(deps, context, { id, before, content, attributes })
    return getRecord(tx, id)
  })
  return { id, created: known === undefined, memory: toRecordJson(value) }
}
