import { MemoryError } from './errors.ts'
import { indexRow } from './find/index-row.ts'
import { labelOf } from './label.ts'
import type { NodeState } from './model.ts'
import { isSource, mutate, type OperationDeps } from './operation.ts'
import { overlayEdit } from './overlay.ts'
import { contentChange, createPlan, isUnchanged, type Plan, stateWithoutLabel } from './plan.ts'
import type { PutContext } from './put.ts'
import type { Maintenance, RestoreRow, SnapshotRow } from './store.ts'

/** Nodes restored at once. */
const PAGE = 1000

export type RollbackResult =
  | { status: 'at-target'; target: number }
  | { status: 'unchanged'; target: number; pruned: number }
  | { status: 'rolled-back'; target: number; affected: number; pruned: number; snapshot: SnapshotRow }

export interface RollbackInput {
  snapshotId: number
  /** Also forget what came after the target, with all text that only it held. */
  dropAfter?: boolean
}

export interface RollbackDeps extends OperationDeps {
  maintenance: Pick<Maintenance, 'scrub'>
}

/**
 * Makes the memory say again what it said at a snapshot. Costs the nodes that changed since. Heat, pins and links of
 * nodes that stay are left alone; erased text does not come back.
 */
export async function rollback(deps: RollbackDeps, input: RollbackInput): Promise<RollbackResult> {
  const { snapshotId: target, dropAfter = false } = input
  if (!Number.isSafeInteger(target) || target < 1) {
    throw new MemoryError('INVALID_INPUT', `invalid snapshot_id ${target}: expected positive integer`)
  }
  const about = { operation: 'rollback', message: `rollback to ${target}` }
  let outcome: RollbackResult = { status: 'at-target', target }
  const { value, snapshot } = await mutate(deps, about, async (context) => {
    const head = await checkTarget(context, target)
    if (head === target) return undefined
    const affected = await restoreNodes(context, { target, head })
    const documents = await context.tx.countChangedDocuments(target)
    if (affected === 0 && documents === 0 && !dropAfter) return { affected, pruned: 0 }
    const id = await context.snapshot.id()
    await context.applier.finish()
    await context.tx.restoreDocuments(target, id)
    return { affected, pruned: dropAfter ? await context.tx.dropSnapshots(target, id) : 0 }
  })
  if (dropAfter && snapshot) await deps.maintenance.scrub()
  if (value) {
    outcome = snapshot
      ? { status: 'rolled-back', target, ...value, snapshot }
      : { status: 'unchanged', target, pruned: value.pruned }
  }
  return outcome
}

async function checkTarget({ tx }: PutContext, target: number): Promise<number> {
  const head = (await tx.head())?.id ?? 0
  if (target > head) throw new MemoryError('INVALID_INPUT', `snapshot ${target} is ahead of HEAD ${head}`)
  if (!(await tx.findSnapshot(target))) {
    throw new MemoryError('NOT_FOUND', `snapshot ${target} not found; list them with \`remindb history\``)
  }
  return head
}

async function restoreNodes(context: PutContext, range: { target: number; head: number }): Promise<number> {
  const { tx, applier } = context
  const keys = await tx.changedKeys({ since: range.target, until: range.head })
  const { counts } = applier
  for (let at = 0; at < keys.length; at += PAGE) {
    const plan = createPlan()
    for (const row of await tx.listRestores(range.target, keys.slice(at, at + PAGE))) {
      await planRestore(context, plan, row)
    }
    await applier.apply(plan)
  }
  return counts.added + counts.modified + counts.removed
}

async function planRestore(
  context: PutContext,
  plan: Plan,
  { current: row, past }: RestoreRow,
): Promise<void> {
  if (!past) return planAbsence(context, plan, row)
  const { text, parentId, ...next } = past
  const label = next.label ?? labelOf({ ...next, text })
  if (row.live && isUnchanged(row, next, label)) return
  const shown = { text, label, words: indexRow({ type: next.type, label, text }) }
  plan.changes.push(contentChange(context.hash, row.live ? 'mod' : 'add', { ...row, parentId }, next, shown))
  await overlayRestore(context, plan, row, next)
}

async function planAbsence(context: PutContext, plan: Plan, row: RestoreRow['current']): Promise<void> {
  if (!row.live) return
  plan.changes.push({ op: 'rem', key: row.key })
  await overlayRestore(context, plan, row, null)
}

/** Going back is an edit like any other: a file that says otherwise is remembered as the base. */
async function overlayRestore(
  context: PutContext,
  plan: Plan,
  row: RestoreRow['current'],
  next: NodeState | null,
): Promise<void> {
  if (!(await isSource(context, row.documentId))) return
  overlayEdit(plan, row, { operation: 'rollback', current: stateWithoutLabel(row), next })
}
