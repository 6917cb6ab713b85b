import { plural } from '../util/terminal-units.ts'
import { doorDocumentOf, type RetellDeps, retell } from './doors/retell.ts'
import { MemoryError } from './errors.ts'
import { applyByHand, getNode, idOf, isSource, mutate } from './operation.ts'
import { overlayEdit } from './overlay.ts'
import { createPlan, liveState, moveChange, type Plan, stateWithoutLabel } from './plan.ts'
import type { DoorDocument } from './port/doors.ts'
import type { DocumentNodeRow, SnapshotRow } from './port/store.ts'
import { positionsBetween } from './positions.ts'
import type { PutContext } from './put.ts'

export const FORGET_MODES = ['strict', 'cascade', 'reparent'] as const
export type ForgetMode = (typeof FORGET_MODES)[number]

export interface ForgetResult {
  affected: number
  snapshot: SnapshotRow | null
}

/** Removes a node: only if it has no children (strict), with all below it (cascade), or leaving them to its parent. */
export async function forget(
  deps: RetellDeps,
  { id, mode = 'strict' }: { id: string; mode?: ForgetMode },
): Promise<ForgetResult> {
  if (!FORGET_MODES.includes(mode)) {
    throw new MemoryError(
      'INVALID_INPUT',
      `unknown delete mode "${mode}" (want strict, cascade, or reparent)`,
    )
  }
  const about = { operation: 'forget', message: `forget:${mode}:${id}` }
  const { value, snapshot } = await mutate(deps, about, async (context) => {
    const row = await getNode(context.tx, id)
    const children = await context.tx.children([row.key])
    if (mode === 'strict' && children.length > 0) {
      throw new MemoryError(
        'CONFLICT',
        `node ${id} has ${plural(children.length, 'child', 'children')}; pass mode=cascade or mode=reparent`,
      )
    }
    const document = await doorDocumentOf(context.tx, row)
    if (document) return forgetTold(deps, context, document, { row, children, mode })
    const plan = createPlan()
    const touched =
      mode === 'cascade'
        ? await planCascade(context, plan, await allBelow(context, row))
        : await planReparent(context, plan, row, children)
    await applyByHand(
      context,
      plan,
      touched.map((node) => node.documentId),
    )
    return touched.length
  })
  return { affected: value, snapshot }
}

/** A node of a door's document: its text says so no more. What others put below a node goes with it, or stays as a root. */
async function forgetTold(
  deps: RetellDeps,
  context: PutContext,
  document: DoorDocument,
  { row, children, mode }: { row: DocumentNodeRow; children: DocumentNodeRow[]; mode: ForgetMode },
): Promise<number> {
  const doomed = mode === 'cascade' ? await allBelow(context, row) : [row]
  const isOwn = (node: DocumentNodeRow): boolean => node.documentId === document.id
  const others = doomed.filter((node) => !isOwn(node))
  const plan = createPlan()
  await planRemovals(context, plan, others)
  await applyByHand(
    context,
    plan,
    others.map((node) => node.documentId),
  )
  // What is gone already must not be found below what goes now.
  await context.applier.finish()
  const edits = new Map(doomed.filter(isOwn).map((node) => [node.key, null]))
  await retell(deps, context, document, edits)
  return mode === 'reparent' ? children.length + 1 : doomed.length
}

async function allBelow({ tx }: PutContext, row: DocumentNodeRow): Promise<DocumentNodeRow[]> {
  let all: DocumentNodeRow[] = [row]
  for (let level = [row]; level.length > 0; ) {
    level = await tx.children(level.map((node) => node.key))
    all = all.concat(level)
  }
  return all
}

async function planCascade(
  context: PutContext,
  plan: Plan,
  doomed: DocumentNodeRow[],
): Promise<DocumentNodeRow[]> {
  await planRemovals(context, plan, doomed)
  return doomed
}

async function planRemovals(context: PutContext, plan: Plan, rows: DocumentNodeRow[]): Promise<void> {
  for (const row of rows) {
    plan.changes.push({ op: 'rem', key: row.key })
    if (!(await isSource(context, row.documentId))) continue
    overlayEdit(plan, row, { operation: 'forget', current: stateWithoutLabel(row), next: null })
  }
}

/** The children take their parent's place, in their order. */
async function planReparent(
  context: PutContext,
  plan: Plan,
  row: DocumentNodeRow,
  children: DocumentNodeRow[],
): Promise<DocumentNodeRow[]> {
  const { tx, hash } = context
  const parentId = await idOf(tx, row.parentKey)
  const next = (await tx.nextPosition(row.parentKey, row.documentId, row.position)) ?? null
  const positions = positionsBetween(row.position, next, children.length)
  const texts = await tx.texts(children.map((child) => child.digest))
  for (const [at, child] of children.entries()) {
    const text = texts.get(child.digest) ?? ''
    const target = { parentKey: row.parentKey, parentId, position: positions[at] as string }
    plan.changes.push(moveChange(hash, child, text, target))
    if (!(await isSource(context, child.documentId))) continue
    const current = liveState(child, text)
    overlayEdit(plan, child, { operation: 'forget', current, next: { ...current, ...placeOf(target) } })
  }
  await planRemovals(context, plan, [row])
  return [...children, row]
}

function placeOf({ parentKey, position }: { parentKey: number | null; position: string }) {
  return { parentKey, position }
}
