import { MemoryError } from './errors.ts'
import { indexRow } from './find/index-row.ts'
import { findSnapshot, WHAT_WAS } from './history.ts'
import { labelOf } from './label.ts'
import type { NodeState, Op } from './model.ts'
import { idOf, isSource, mutate, type OperationDeps, snapshotOperation } from './operation.ts'
import { overlayEdit } from './overlay.ts'
import { contentChange, createPlan, isUnchanged, type Plan, stateWithoutLabel } from './plan.ts'
import type { RestoreRow, SnapshotRange, VersionRow } from './port/history.ts'
import type { Maintenance, ReadTx, SnapshotRow, Store } from './port/store.ts'
import type { PutContext } from './put.ts'
import { type PlacedVersion, placeVersions } from './version-places.ts'
import { countChangedDocuments, restoreDocuments } from './write/documents.ts'
import { countSnapshots, dropHistory } from './write/forget-history.ts'

/** Nodes restored at once. */
const PAGE = 5000

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
  checkNumber(target)
  const about = { operation: 'rollback', message: `rollback to ${target}` }
  const { value, snapshot } = await mutate(deps, restore, { ...about, input: { target, dropAfter } })
  if (dropAfter && snapshot) await deps.maintenance.scrub()
  if (!value) return { status: 'at-target', target }
  return snapshot
    ? { status: 'rolled-back', target, ...value, snapshot }
    : { status: 'unchanged', target, pruned: value.pruned }
}

export const restore = snapshotOperation(
  'rollback',
  async (context, { target, dropAfter }: { target: number; dropAfter: boolean }) => {
    const { tx, snapshot } = context
    const head = await checkTarget(tx, target)
    if (head === target) return undefined
    const affected = await restoreNodes(context, { since: target, until: head })
    const documents = await countChangedDocuments(tx, target)
    if (affected === 0 && documents === 0 && !dropAfter) return { affected, pruned: 0 }
    await restoreDocuments(context, target, await snapshot.row())
    if (!dropAfter) return { affected, pruned: 0 }
    await snapshot.setParent(target)
    return { affected, pruned: await dropHistory(context, target) }
  },
)

/** What `rollback` would do now. Nothing is changed. */
export interface RollbackPreview {
  target: number
  /** Each node as it is (`old`) and as it would be (`new`). */
  changes: PlacedVersion[]
  /** Keys, records and files whose exact text or attributes would be those of then. */
  documents: number
  /** Snapshots after the target: those that `dropAfter` would forget. */
  snapshotsAfter: number
}

/** Decides as `rollback` does, in one read. */
export async function previewRollback(
  store: Pick<Store, 'read'>,
  { snapshotId: target }: Pick<RollbackInput, 'snapshotId'>,
): Promise<RollbackPreview> {
  checkNumber(target)
  return store.read(async (tx) => {
    const head = await checkTarget(tx, target)
    const changes: PlacedVersion[] = []
    for await (const page of restorePages(tx, { since: target, until: head })) {
      const rows: VersionRow[] = []
      for (const row of page) {
        const op = restoreOp(row)
        if (op) rows.push(await toVersion(tx, row, { op, snapshotId: head }))
      }
      for (const row of await placeVersions(tx, rows)) changes.push(row)
    }
    return {
      target,
      changes,
      documents: await countChangedDocuments(tx, target),
      snapshotsAfter: await countSnapshots(tx, { after: target }),
    }
  }, WHAT_WAS)
}

async function toVersion(
  tx: ReadTx,
  { current, past }: RestoreRow,
  { op, snapshotId }: { op: Op; snapshotId: number },
): Promise<VersionRow> {
  const { key: nodeKey, id: nodeId, parentKey, position, type, format, links } = current
  const text = (await tx.texts([current.digest])).get(current.digest) ?? ''
  const label = current.label === labelOf({ type, format, text }) ? null : current.label
  const now = { parentId: await idOf(tx, parentKey), position, type, format, label, links, text }
  return { snapshotId, nodeKey, nodeId, op, old: current.live ? now : null, new: past }
}

function checkNumber(target: number): void {
  if (!Number.isSafeInteger(target) || target < 1) {
    throw new MemoryError('INVALID_INPUT', `invalid snapshot_id ${target}: expected positive integer`)
  }
}

async function checkTarget(tx: ReadTx, target: number): Promise<number> {
  const head = (await tx.state()).head?.id ?? 0
  if (target > head) throw new MemoryError('INVALID_INPUT', `snapshot ${target} is ahead of HEAD ${head}`)
  if (!(await findSnapshot(tx, target))) {
    throw new MemoryError('NOT_FOUND', `snapshot ${target} not found; list them with \`remindb history\``)
  }
  return head
}

async function restoreNodes(context: PutContext, range: SnapshotRange): Promise<number> {
  const { tx, apply, counts } = context
  for await (const page of restorePages(tx, range)) {
    const plan = createPlan()
    for (const row of page) await planRestore(context, plan, row)
    await apply(plan)
  }
  return counts.added + counts.modified + counts.removed
}

async function* restorePages(tx: ReadTx, range: SnapshotRange): AsyncGenerator<RestoreRow[]> {
  for (let after = 0; ; ) {
    const page = await tx.restores(range, { limit: PAGE, after })
    yield page
    if (page.length < PAGE) return
    after = page.at(-1)?.current.key ?? 0
  }
}

async function planRestore(
  context: PutContext,
  plan: Plan,
  { current: row, past }: RestoreRow,
): Promise<void> {
  const op = restoreOp({ current: row, past })
  if (op === undefined) return
  if (!past) {
    plan.changes.push({ op: 'rem', key: row.key })
    return overlayRestore(context, plan, row, null)
  }
  const { text, parentId, ...next } = past
  const label = labelThen(past)
  const shown = { text, label, words: indexRow({ type: next.type, label, text }) }
  plan.changes.push(contentChange(context.hash, row.live ? 'mod' : 'add', { ...row, parentId }, next, shown))
  await overlayRestore(context, plan, row, next)
}

/** What it takes to make a node what it was; undefined: nothing. */
function restoreOp({ current, past }: RestoreRow): Op | undefined {
  if (!past) return current.live ? 'rem' : undefined
  if (!current.live) return 'add'
  return isUnchanged(current, past, labelThen(past)) ? undefined : 'mod'
}

function labelThen(past: NonNullable<RestoreRow['past']>): string {
  return past.label ?? labelOf(past)
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
