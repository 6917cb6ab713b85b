import type { PreparedText } from '../doors/put-text.ts'
import { touchDocuments } from '../rows/heat.ts'
import { mutate, snapshotOperation } from '../write/operation.ts'
import { factsFor } from '../write/put.ts'
import { changedAttributes, type Field } from './change.ts'
import { checkId, checkRecord, type RecordChanges, type RecordInput } from './check.ts'
import { getRecord, prepareContent, putRecord, type RecordDeps, recordAddress } from './document.ts'
import type { RecordLimits } from './limits.ts'
import { attributesOf, type RecordJson, toRecordJson } from './model.ts'

export interface UpdateRecordInput extends RecordInput {
  id: string
}

export interface UpdatedRecord {
  memory: RecordJson
  /** The fields that changed, whatever was given. */
  updated_fields: Field[]
}

/** Changes the given fields of a record. Counts as an access, even if nothing changes. */
export async function updateRecord(deps: RecordDeps, input: UpdateRecordInput): Promise<UpdatedRecord> {
  const id = checkId(input?.id)
  const { content, ...changes } = checkRecord(deps, input)
  const { value } = await mutate(deps, changeRecord, {
    ...{ operation: 'record', message: `update:${id}` },
    input: {
      ...{ id, changes, content: await prepareContent(deps, content) },
      ...{ limits: deps.limits(), boost: deps.boost() },
    },
  })
  return { memory: toRecordJson(value.document), updated_fields: value.fields }
}

interface ChangeRecordInput {
  id: string
  changes: Omit<RecordChanges, 'content'>
  content: PreparedText | undefined
  limits: RecordLimits
  boost: number
}

export const changeRecord = snapshotOperation(
  'update-record',
  async (context, { id, changes, content, limits, boost }: ChangeRecordInput) => {
    const { tx, at } = context
    const [before, put] = await Promise.all([
      getRecord(tx, id),
      content && factsFor(context, [{ address: recordAddress(id), ...content }]),
    ])
    const known = attributesOf(before)
    const attributes = changedAttributes(known, { ...changes, type: known.type }, at)
    const { fields, document } = await putRecord(
      context,
      { id, before, content, attributes, limits },
      { put },
    )
    await touchDocuments(tx, [{ documentId: document.id, times: 1 }], { at, by: boost })
    const accessed = { accesses: document.accesses + 1, accessedAt: Math.max(at, document.accessedAt ?? at) }
    return { document: { ...document, ...accessed }, fields }
  },
)
