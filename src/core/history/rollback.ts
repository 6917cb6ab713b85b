import { MemoryError } from '../errors.ts'
import { snapshotAt } from '../past/moment.ts'
import type { PastState, SnapshotRange } from '../port/history.ts'
import type { Maintenance, ReadTx, SnapshotRow, Store } from '../port/store.ts'
import { countSnapshots, dropHistory } from '../rows/forget-history.ts'
import { differingDocuments, documentsSince, restoreDocuments } from '../rows/restore-documents.ts'
import { mutate, type OperationDeps, snapshotOperation } from '../write/operation.ts'
import { bringBackNodes, changesOf, PAGE, type PastNode } from './bring-back.ts'
import { WHAT_WAS } from './history.ts'
import type { PlacedVersion } from './version-places.ts'

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
  const { value, snapshot } = await mutate(deps, rollBack, { ...about, input: { target, dropAfter } })
  if (dropAfter && snapshot) await deps.maintenance.scrub()
  if (!value) return { status: 'at-target', target }
  return snapshot
    ? { status: 'rolled-back', target, ...value, snapshot }
    : { status: 'unchanged', target, pruned: value.pruned }
}

export const rollBack = snapshotOperation(
  'rollback',
  async (context, { target, dropAfter }: { target: number; dropAfter: boolean }) => {
    const { tx, snapshot } = context
    const head = await checkTarget(tx, target)
    if (head === target) return undefined
    const growth = new Map<number, number>()
    const pages = nodesSince(tx, { since: target, until: head })
    const affected = await bringBackNodes(context, pages, { operation: 'rollback', growth })
    const documents = await documentsSince(tx, target)
    const isSame = affected === 0 && (await differingDocuments(tx, documents)).length === 0
    if (isSame && !dropAfter) return { affected, pruned: 0 }
    await restoreDocuments(context, documents, await snapshot.row(), growth)
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
    return {
      target,
      changes: await changesOf(tx, nodesSince(tx, { since: target, until: head }), head),
      documents: (await differingDocuments(tx, await documentsSince(tx, target))).length,
      snapshotsAfter: await countSnapshots(tx, { after: target }),
    }
  }, WHAT_WAS)
}

function checkNumber(target: number): void {
  if (!Number.isSafeInteger(target) || target < 1) {
    throw new MemoryError('INVALID_INPUT', `invalid snapshot_id ${target}: expected positive integer`)
  }
}

/** Returns the number of the newest snapshot. */
async function checkTarget(tx: ReadTx, target: number): Promise<number> {
  await snapshotAt(tx, target)
  return (await tx.state()).head?.id ?? 0
}

/** The nodes that changed since a snapshot, with their states then. */
async function* nodesSince(tx: ReadTx, range: SnapshotRange): AsyncGenerator<PastNode[]> {
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
