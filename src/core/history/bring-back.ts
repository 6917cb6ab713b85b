import { indexRow } from '../find/query/index-row.ts'
import { labelOf } from '../label.ts'
import type { NodeState, Op } from '../model.ts'
import type { PastState, VersionRow, VersionState } from '../port/history.ts'
import { isLive } from '../port/rows.ts'
import type { DocumentNodeRow, ReadTx } from '../port/store.ts'
import { contentChange, createPlan, isUnchanged, type Plan, stateWithoutLabel } from '../rows/plan.ts'
import { isSource } from '../write/operation.ts'
import { overlayEdit } from '../write/overlay.ts'
import type { PutContext } from '../write/put.ts'
import { shownState } from './history.ts'
import { type PlacedVersion, placeVersions } from './version-places.ts'

/**
 * A rollback, a restore and a revert choose nodes and the states that these are to have again; everything else is the
 * same, and here.
 */

/** Nodes brought back in one batch. */
export const PAGE = 5000

/** A node, and the state that it is to have again. Null: it did not exist then, or its text is erased. */
export interface PastNode {
  current: DocumentNodeRow
  past: PastState | null
}

export type PastNodes = AsyncIterable<PastNode[]>

/** The operation of the overlays, and by how many bytes the texts of nodes grow. */
interface Edit {
  operation: string
  growth: Map<number, number>
}

/** Gives nodes their past states. Returns how many were changed. */
export async function bringBackNodes(
  context: PutContext,
  pages: PastNodes,
  { operation, growth }: Edit,
): Promise<number> {
  const { apply, counts } = context
  for await (const page of pages) {
    const plan = createPlan()
    for (const row of page) await planPast(context, plan, row, operation)
    await apply(plan, [], growth)
  }
  return counts.added + counts.modified + counts.removed
}

/** The changes that `bringBackNodes` would make: each node as it is (`old`) and as it would be (`new`). */
export async function changesOf(tx: ReadTx, pages: PastNodes, head: number): Promise<PlacedVersion[]> {
  const changes: PlacedVersion[] = []
  for await (const page of pages) {
    const states = await statesNow(tx, page, head)
    const rows = page.flatMap((row): VersionRow[] => {
      const { key: nodeKey, id: nodeId } = row.current
      const op = pastOp(row)
      const change = { old: states.get(nodeKey) ?? null, new: shownState(row.past) }
      return op ? [{ snapshotId: head, nodeKey, nodeId, op, ...change }] : []
    })
    for (const row of await placeVersions(tx, rows)) changes.push(row)
  }
  return changes
}

/** How a node gets its past state; undefined: it has it. */
export function pastOp({ current, past }: PastNode): Op | undefined {
  if (!past) return isLive(current) ? 'rem' : undefined
  if (!isLive(current)) return 'add'
  return isUnchanged(current, past, labelThen(past)) ? undefined : 'mod'
}

/** Current states of nodes, by key. The newest version may name a removed parent, so the node itself decides. */
async function statesNow(
  tx: ReadTx,
  page: readonly PastNode[],
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

async function planPast(context: PutContext, plan: Plan, node: PastNode, operation: string): Promise<void> {
  const op = pastOp(node)
  if (op === undefined) return
  const { current: row, past } = node
  if (!past) {
    plan.changes.push({ op: 'rem', key: row.key })
    return overlayPast(context, plan, { row, next: null, operation })
  }
  const { text, parentId, ...next } = past
  const label = labelThen(past)
  const shown = { text, label, words: indexRow({ type: next.type, label, text }) }
  plan.changes.push(
    contentChange(context.hash, op === 'add' ? 'add' : 'mod', { ...row, parentId }, next, shown),
  )
  await overlayPast(context, plan, { row, next, operation })
}

function labelThen(past: PastState): string {
  return past.label ?? labelOf(past)
}

/** An edit like any other: the differing text of a file is kept as the base. */
async function overlayPast(
  context: PutContext,
  plan: Plan,
  { row, next, operation }: { row: DocumentNodeRow; next: NodeState | null; operation: string },
): Promise<void> {
  if (!(await isSource(context, row.documentId))) return
  overlayEdit(plan, row, { operation, current: stateWithoutLabel(row), next })
}
