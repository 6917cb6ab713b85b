import { MemoryError } from '../errors.ts'
import type { Address } from '../model.ts'
import type { Attributes } from '../port/doors.ts'
import type { DocumentRow, Maintenance, ReadTx, SnapshotRow } from '../port/store.ts'
import { buryDocument } from '../rows/documents.ts'
import { deleteFileFacts } from '../rows/file-facts.ts'
import { eraseHistory } from '../rows/forget-history.ts'
import { createPlan } from '../rows/plan.ts'
import { documentAt } from '../write/documents.ts'
import { mutate, type OperationDeps, snapshotOperation } from '../write/operation.ts'
import { planLeftBehind } from '../write/plan-document.ts'
import type { PutContext } from '../write/put.ts'

export interface EraseDeps extends OperationDeps {
  maintenance: Pick<Maintenance, 'scrub'>
}

export interface EraseResult {
  nodes: number
  /** False: another process was reading; what is left on disk goes with `startScrubs` or `doctor --fix`. */
  scrubbed: boolean
  snapshot: SnapshotRow | null
}

/**
 * Removes every text of one document: nodes, versions, index, journals, free pages. A tombstone stays, also for a
 * rollback across it. Texts that other documents say too are theirs and stay. Backups are not touched.
 */
export async function erase(deps: EraseDeps, address: Address): Promise<EraseResult> {
  const about = { operation: 'erase', message: 'erase' }
  const { value, snapshot } = await mutate(deps, eraseAt, { ...about, input: address })
  return { nodes: value, scrubbed: await deps.maintenance.scrub(), snapshot }
}

export const eraseAt = snapshotOperation('erase', async (context, address: Address) => {
  const document = await documentAt(context.tx, address, 'row')
  if (!document)
    throw new MemoryError(
      'NOT_FOUND',
      'there is no such document; `remindb tree` shows where each node comes from',
    )
  const tombstone = await tombstoneOf(context.tx, document, context.at)
  return tombstone === 'as it is' ? 0 : eraseDocument(context, document, tombstone)
})

/**
 * What the tombstone has besides the address. That of a key tells agents since when it is redacted and whose it is, but not how it was
 * tagged: tags that `redact_memory` left go too.
 */
async function tombstoneOf(
  tx: ReadTx,
  { address, state }: DocumentRow,
  now: number,
): Promise<Attributes | undefined | 'as it is'> {
  const isErased = state === 'erased'
  if (address.kind !== 'key') return isErased ? 'as it is' : undefined
  const { tags = [], ...left } = (await documentAt(tx, address, 'head'))?.attributes ?? {}
  if (!isErased) return { redacted_at: now, ...(left.client !== undefined && { client: left.client }) }
  return tags.length === 0 ? 'as it is' : left
}

/** The part of it that is inside a transaction; the tombstone has `attributes`. Tells how many nodes went. */
export async function eraseDocument(
  context: PutContext,
  { id, address }: DocumentRow,
  attributes?: Attributes,
): Promise<number> {
  const { tx, hash, snapshot, apply } = context
  const plan = createPlan()
  const { nodes, guests } = await tx.contents({ ids: [id] }, [])
  const keys = nodes.filter(({ removedIn }) => removedIn === null).map(({ key }) => key)
  planLeftBehind(hash, plan, { settled: new Set(keys), nodes: guests })
  await apply(plan, guests)
  await eraseHistory(context, id)
  await buryDocument(context, id, await snapshot.row(), attributes ?? null)
  // They hold a digest of the text.
  if (address.kind === 'source') await deleteFileFacts(tx, address.root, [address.path])
  return keys.length
}
