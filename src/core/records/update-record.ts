import { mutate } from '../operation.ts'
import { changedAttributes, type Field } from './change.ts'
import { checkId, checkRecord, type RecordInput } from './check.ts'
import { attributesOf, type RecordJson, toRecordJson } from './model.ts'
import { getRecord, putRecord, type RecordDeps } from './put-record.ts'

export interface UpdateRecordInput extends RecordInput {
  id: string
}

export interface UpdatedRecord {
  memory: RecordJson
  /** What is different now, whatever was given. */
  updated_fields: Field[]
}

/** Changes what is given of a record. That is an access, also when nothing is different after it. */
export async function updateRecord(deps: RecordDeps, input: UpdateRecordInput): Promise<UpdatedRecord> {
  const id = checkId(input?.id)
  const { content, ...changes } = checkRecord(deps, input)
  const about = { operation: 'record', message: `update:${id}` }
  const { value } = await mutate(deps, about, async (context) => {
    const { tx } = context
    const before = await getRecord(tx, id)
    const known = attributesOf(before)
    const attributes = changedAttributes(known, { ...changes, type: known.type }, deps.now())
    const fields = await putRecord(deps, context, { id, before, content, attributes })
    await tx.touchDocuments([{ documentId: before.id, times: 1 }], { at: deps.now(), by: deps.boost() })
    return { document: await getRecord(tx, id), fields }
  })
  return { memory: toRecordJson(value.document), updated_fields: value.fields }
}
