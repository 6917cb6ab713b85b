import { needs } from '../errors.ts'
import { mutate, snapshotOperation } from '../write/operation.ts'
import { removeDocuments } from '../write/put.ts'
import { checkId } from './check.ts'
import { getRecord, putRecord, type RecordDeps } from './document.ts'
import type { RecordLimits } from './limits.ts'
import { attributesOf } from './model.ts'

export interface DeletedRecord {
  success: true
  action: 'archived' | 'deleted'
  id: string
}

/**
 * Archives a record, or with `permanent` removes it. History keeps it either way; to remove that too, erase the
 * document.
 */
export async function deleteRecord(
  deps: RecordDeps,
  input: { id: string; permanent?: boolean },
): Promise<DeletedRecord> {
  const id = checkId(input?.id)
  const { permanent = false } = input
  needs(typeof permanent === 'boolean', 'permanent must be true or false')
  const about = { operation: 'record', message: `${permanent ? 'delete' : 'archive'}:${id}` }
  await mutate(deps, putRecordAway, { ...about, input: { id, permanent, limits: deps.limits() } })
  return { success: true, action: permanent ? 'deleted' : 'archived', id }
}

export const putRecordAway = snapshotOperation(
  'delete-record',
  async (context, input: { id: string; permanent: boolean; limits: RecordLimits }) => {
    const { id, permanent, limits } = input
    const before = await getRecord(context.tx, id)
    const attributes = { ...attributesOf(before), archived: true }
    if (permanent) await removeDocuments(context, [before])
    else await putRecord(context, { id, before, content: undefined, attributes, limits })
  },
)
