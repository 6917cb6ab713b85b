import { plural } from '../../util/text/units.ts'
import { MemoryError } from '../errors.ts'
import { isOfDoor } from '../port/rows.ts'
import type { DocumentNodeRow, ReadTx, SnapshotRow } from '../port/store.ts'
import type { StoredDocument } from '../port/stored.ts'
import { positionsBetween } from '../positions.ts'
import { createPlan, liveState, moveChange, type Plan, stateWithoutLabel } from '../rows/plan.ts'
import {
  applyByHand,
  checkNodeId,
  getNode,
  idOf,
  isSource,
  mutate,
  nextPosition,
  prepared,
  snapshotOperation,
} from '../write/operation.ts'
import { overlayEdit } from '../write/overlay.ts'
import type { PutContext } from '../write/put.ts'
import { FORGET_MODES, type ForgetMode } from './model.ts'
import { prepareWriteBack, putWriteBack, type WriteBack, type WriteBackDeps } from './write-back.ts'

export type { ForgetMode }

export interface ForgetResult {
  affected: number
  snapshot: SnapshotRow | null
}

/**
 * Removes a node: only if it has no children (strict), with its descendants (cascade), or moving its children to its
 * parent (reparent).
 */
export async function forget(
  deps: WriteBackDeps,
  { id, mode = 'strict' }: { id: string; mode?: ForgetMode },
): Promise<ForgetResult> {
  if (!FORGET_MODES.includes(mode)) {
    throw new MemoryError(
      'INVALID_INPUT',
      `unknown delete mode "${mode}" (want strict, cascade, or reparent)`,
    )
  }
  const about = { operation: 'forget', message: `forget:${mode}:${id}` }
  checkNodeId(id)
  return prepared(deps, async () => {
    const writeBack = await prepareWriteBack(deps, id, async (tx, row) => {
      if (mode === 'strict' && (await tx.nodes({ parents: [row.key] }, 'id')).length > 0) return undefined
      const own = ({ documentId }: DocumentNodeRow): boolean => documentId === row.documentId
      return new Map((await nodesToRemove(tx, row, mode)).filter(own).map(({ key }) => [key, null]))
    })
    const { value, snapshot } = await mutate(deps, forgetNode, { ...about, input: { id, mode, writeBack } })
    return { affected: value, snapshot }
  })
}

interface ForgetInput {
  id: string
  mode: ForgetMode
  writeBack: WriteBack | undefined
}

export const forgetNode = snapshotOperation(
  'forget',
  async (context, { id, mode, writeBack }: ForgetInput) => {
    const { tx } = context
    const row = await getNode(tx, id)
    const children = await tx.nodes({ parents: [row.key] }, 'full')
    if (mode === 'strict' && children.length > 0) {
      throw new MemoryError(
        'CONFLICT',
        `node ${id} has ${plural(children.length, 'child', 'children')}; pass mode=cascade or mode=reparent`,
      )
    }
    const [document] = await tx.documents({ ofNode: id }, 'stored')
    if (document && isOfDoor(document)) {
      const doomed = await nodesToRemove(tx, row, mode)
      await removeOthers(context, document, doomed)
      await putWriteBack(context, { id, document, writeBack })
      return mode === 'reparent' ? children.length + 1 : doomed.length
    }
    const plan = createPlan()
    const touched =
      mode === 'cascade'
        ? await planCascade(context, plan, await nodesToRemove(tx, row, mode))
        : await planReparent(context, plan, row, children)
    await applyByHand(context, plan, await documentsOf(tx, touched))
    return touched.length
  },
)

/**
 * Removes a node from the text of a door's document. Nodes that agents added below it are removed too, or become roots.
 */
async function removeOthers(
  context: PutContext,
  document: StoredDocument,
  doomed: DocumentNodeRow[],
): Promise<void> {
  const others = doomed.filter(({ documentId }) => documentId !== document.id)
  const plan = createPlan()
  await planRemovals(context, plan, others)
  await applyByHand(context, plan, await documentsOf(context.tx, others))
}

async function documentsOf(tx: ReadTx, rows: readonly DocumentNodeRow[]): Promise<StoredDocument[]> {
  const ids = new Set(rows.map(({ documentId }) => documentId))
  return ids.size === 0 ? [] : tx.documents({ ids: [...ids] }, 'stored')
}

/** The nodes that are removed with a node: with `cascade` all its descendants. */
async function nodesToRemove(tx: ReadTx, row: DocumentNodeRow, mode: ForgetMode): Promise<DocumentNodeRow[]> {
  let all: DocumentNodeRow[] = [row]
  for (let level = mode === 'cascade' ? [row] : []; level.length > 0; ) {
    level = await tx.nodes({ parents: level.map((node) => node.key) }, 'full')
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

/** The children take their parent's place, in order. */
async function planReparent(
  context: PutContext,
  plan: Plan,
  row: DocumentNodeRow,
  children: DocumentNodeRow[],
): Promise<DocumentNodeRow[]> {
  const { tx, hash } = context
  const parentId = await idOf(tx, row.parentKey)
  const next = await nextPosition(tx, row)
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
