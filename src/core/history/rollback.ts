import { MemoryError } from '../errors.ts'
import { indexRow } from '../find/query/index-row.ts'
import { labelOf } from '../label.ts'
import type { NodeState, Op } from '../model.ts'
import { snapshotAt } from '../past/moment.ts'
import type { PastState, SnapshotRange, VersionRow, VersionState } from '../port/history.ts'
import { isLive } from '../port/rows.ts'
import type { DocumentNodeRow, Maintenance, ReadTx, SnapshotRow, Store } from '../port/store.ts'
import { countChangedDocuments, restoreDocuments } from '../rows/documents.ts'
import { countSnapshots, dropHistory } from '../rows/forget-history.ts'
import { contentChange, createPlan, isUnchanged, type Plan, stateWithoutLabel } from '../rows/plan.ts'
import { isSource, mutate, type OperationDeps, snapshotOperation } from '../write/operation.ts'
import { overlayEdit } from '../write/overlay.ts'
import type { PutContext } from '../write/put.ts'
import { shownState, WHAT_WAS } from './history.ts'
import { type PlacedVersion, placeVersions } from './version-places.ts'

/** Nodes restored in one batch. */
const PAGE = 5000

export type RollbackResult =
  | { status: 'at-target'; target: number }
  | { status: 'unchanged'; target: number; pruned: number }
  | { status: 'rolled-back'; target: number; affected: number; pruned: number; snapshot: SnapshotRow }

export interface RollbackInput {
  snapshotId: number
  /** Also delete the snapshots after the target, with all text that only they held. */
  dropAfter?: boolean
}

export interface RollbackDeps extends OperationDeps {
  maintenance: Pick<Maintenance, 'scrub'>
}

/**
 * Restores the state at a snapshot. Costs the nodes that changed since. Heat, pins and links of remaining nodes are
 * left alone; erased text does not return.
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
    const growth = new Map<number, number>()
    const affected = await restoreNodes(context, { since: target, until: head }, growth)
    const documents = await countChangedDocuments(tx, target)
    if (affected === 0 && documents === 0 && !dropAfter) return { affected, pruned: 0 }
    await restoreDocuments(context, target, await snapshot.row(), growth)
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
  /** Keys, records and files whose exact text or attributes would be restored. */
  documents: number
  /** Snapshots after the target: those that `dropAfter` would delete. */
  snapshotsAfter: number
}

/** Decides like `rollback`, in one read. */
export async function previewRollback(
  store: Pick<Store, 'read'>,
  { snapshotId: target }: Pick<RollbackInput, 'snapshotId'>,
): Promise<RollbackPreview> {
  checkNumber(target)
  return store.read(async (tx) => {
    const head = await checkTarget(tx, target)
    const changes: PlacedVersion[] = []
    for await (const page of restorePages(tx, { since: target, until: head })) {
      const states = await statesNow(tx, page, head)
      const rows = page.flatMap((row): VersionRow[] => {
        const { key: nodeKey, id: nodeId } = row.current
        const op = restoreOp(row)
        const change = { old: states.get(nodeKey) ?? null, new: shownState(row.past) }
        return op ? [{ snapshotId: head, nodeKey, nodeId, op, ...change }] : []
      })
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

/** Current states of nodes, by key. The newest version may name a removed parent, so the node itself decides. */
async function statesNow(
  tx: ReadTx,
  page: readonly RestoreRow[],
  head: number,
): Promise<Map<number, VersionState | null>> {
  const keys = page.map(({ current }) => current.key)
  const parentKeys = [...new Set(page.flatMap(({ current }) => current.parentKey ?? []))]
  const [newest, parents] = await Promise.all([tx.statesAt(keys, head), tx.nodes({ keys: parentKeys }, 'id')])
  const ids = new Map(parents.map(({ key, id }) => [key, id]))
  const states = new Map(newest.map(({ key, state }) => [key, shownState(state)]))
  return new Map(
    page.map(({ current: { key, parentKey } }) => {
      const state = states.get(key)
      return [key, state ? { ...state, parentId: ids.get(parentKey ?? 0) ?? null } : null]
    }),
  )
}

function checkNumber(target: number): void {
  if (!Number.isSafeInteger(target) || target < 1) {
    throw new MemoryError('INVALID_INPUT', `invalid snapshot_id ${target}: expected positive integer`)
  }
}

async function checkTarget(tx: ReadTx, target: number): Promise<number> {
  await snapshotAt(tx, target)
  return (await tx.state()).head?.id ?? 0
}

async function restoreNodes(
  context: PutContext,
  range: SnapshotRange,
  growth: Map<number, number>,
): Promise<number> {
  const { tx, apply, counts } = context
  for await (const page of restorePages(tx, range)) {
    const plan = createPlan()
    for (const row of page) await planRestore(context, plan, row)
    await apply(plan, [], growth)
  }
  return counts.added + counts.modified + counts.removed
}

/** A node that changed since the target, with its state then: null if it did not exist, or is erased. */
interface RestoreRow {
  current: DocumentNodeRow
  past: PastState | null
}

async function* restorePages(tx: ReadTx, range: SnapshotRange): AsyncGenerator<RestoreRow[]> {
  for (let after = 0; ; ) {
    const page = await tx.nodes({ changedIn: range, after, limit: PAGE }, 'full')
    const keys = page.map(({ key }) => key)
    const past = new Map((await tx.statesAt(keys, range.since)).map(({ key, state }) => [key, state]))
    yield page.map((current) => ({ current, past: withParent(past.get(current.key) ?? null) }))
    if (page.length < PAGE) return
    after = keys.at(-1) ?? 0
  }
}

/** A parent that did not exist is not restored, and its children become roots. */
function withParent(past: PastState | null): PastState | null {
  return past?.parentKey === null ? { ...past, parentId: null } : past
}

async function planRestore(context: PutContext, plan: Plan, restored: RestoreRow): Promise<void> {
  const { current: row, past } = restored
  if (restoreOp(restored) === undefined) return
  if (!past) {
    plan.changes.push({ op: 'rem', key: row.key })
    return overlayRestore(context, plan, row, null)
  }
  const { text, parentId, ...next } = past
  const label = labelThen(past)
  const shown = { text, label, words: indexRow({ type: next.type, label, text }) }
  plan.changes.push(
    contentChange(context.hash, isLive(row) ? 'mod' : 'add', { ...row, parentId }, next, shown),
  )
  await overlayRestore(context, plan, row, next)
}

/** How to restore a node; undefined: nothing to do. */
function restoreOp({ current, past }: RestoreRow): Op | undefined {
  if (!past) return isLive(current) ? 'rem' : undefined
  if (!isLive(current)) return 'add'
  return isUnchanged(current, past, labelThen(past)) ? undefined : 'mod'
}

function labelThen(past: PastState): string {
  return past.label ?? labelOf(past)
}

/** A rollback is an edit like any other: the differing text of a file is kept as the base. */
async function overlayRestore(
  context: PutContext,
  plan: Plan,
  row: RestoreRow['current'],
  next: NodeState | null,
): Promise<void> {
  if (!(await isSource(context, row.documentId))) return
  overlayEdit(plan, row, { operation: 'rollback', current: stateWithoutLabel(row), next })
}
