import type { ReadTx, SnapshotRow, Store } from '../port/store.ts'
import type { StoredDocument } from '../port/stored.ts'
import { clearDigests } from '../rows/documents.ts'
import { type DocumentThen, differingDocuments, restoreDocuments } from '../rows/restore-documents.ts'
import { documentNames } from '../write/documents.ts'
import type { Recorded } from '../write/operation.ts'
import type { PutContext } from '../write/put.ts'
import { bringBackNodes, changesOf } from './bring-back.ts'
import { documentsAt } from './document-histories.ts'
import { WHAT_WAS } from './history.ts'
import { decidedNodes, decideNodes, type Selection } from './selection.ts'
import { conflictsOf, type UndoConflicts } from './undo-conflicts.ts'
import type { PlacedVersion } from './version-places.ts'

export type { UndoConflict, UndoConflicts } from './undo-conflicts.ts'

/** What was brought back. */
export interface Undone {
  /** How many nodes changed. */
  affected: number
  /** How many keys, records and files got their exact text and attributes again. */
  documents: number
  /** How many documents stay erased. */
  erased: number
}

/** The result of a restore or a revert. */
export type UndoResult = {
  /** The snapshot that a restore brings back from; null for a revert. */
  target: number | null
} & (
  | ({ status: 'done'; snapshot: SnapshotRow } & Undone)
  /** Everything is already as it was. */
  | { status: 'unchanged'; erased: number }
  /** Nothing was changed; `force` decides for the older text. */
  | ({ status: 'conflict'; erased: number } & UndoConflicts)
)

/** What a restore or a revert would do now, with `force` where there are conflicts. */
export interface UndoPreview extends UndoConflicts {
  status: 'dry-run'
  /** Each node as it is (`old`) and as it would be (`new`). */
  changes: PlacedVersion[]
  /** The keys, records and files whose exact text or attributes would change. */
  documents: string[]
  erased: number
  target: number | null
}

/** What is to be brought back, and the number of the newest snapshot. */
export interface Selected {
  selection: Selection
  head: number
  /** The snapshot that a restore brings back from. */
  target: number | null
}

type Value = Undone & { target: number | null; conflicts: UndoConflicts | null }

/** The part inside the transaction. Without `force` a conflict leaves everything as it is. */
export async function undo(
  context: PutContext,
  { selection, head, target }: Selected,
  { operation, force }: { operation: string; force: boolean },
): Promise<Value> {
  const { tx } = context
  const nothing = { target, affected: 0, documents: 0, erased: selection.erased }
  const fates = await decideNodes(tx, selection, head)
  const past = await documentsAt(tx, selection.documents)
  const differing = (await differingDocuments(tx, past)).map(({ then }) => then)
  if (!force) {
    const conflicts = await conflictsOf(tx, { selection, nodes: decidedNodes(tx, fates), past, head })
    if (conflicts.total > 0) return { ...nothing, conflicts }
  }
  const growth = new Map<number, number>()
  const affected = await bringBackNodes(context, decidedNodes(tx, fates), { operation, growth })
  if (affected + differing.length === 0) return { ...nothing, conflicts: null }
  await undoDocuments(context, { past, differing, growth })
  return { ...nothing, affected, documents: differing.length, conflicts: null }
}

/** `growth` has every document whose nodes changed. Notes that do not get their exact state again were edited by hand. */
async function undoDocuments(
  context: PutContext,
  {
    past,
    differing,
    growth,
  }: {
    past: readonly DocumentThen[]
    differing: readonly DocumentThen[]
    growth: ReadonlyMap<number, number>
  },
): Promise<void> {
  const { tx, snapshot } = context
  const touched = await tx.documents({ ids: [...growth.keys()] }, 'stored')
  const notes = new Set(touched.filter(isNote).map(({ id }) => id))
  const exact = [...differing, ...past.filter(({ documentId }) => notes.has(documentId))]
  const isExact = new Set(exact.map(({ documentId }) => documentId))
  const byHand = touched.filter((document) => isNote(document) && !isExact.has(document.id))
  const row = await snapshot.row()
  await restoreDocuments(context, exact, row, growth)
  await clearDigests(context, byHand, row, growth)
}

function isNote({ address }: Pick<StoredDocument, 'address'>): boolean {
  return address.kind === 'note'
}

/** Decides like `undo`, in one read. */
export function previewUndo(
  store: Pick<Store, 'read'>,
  select: (tx: ReadTx) => Promise<Selected>,
): Promise<UndoPreview> {
  return store.read(async (tx) => {
    const { selection, head, target } = await select(tx)
    const fates = await decideNodes(tx, selection, head)
    const past = await documentsAt(tx, selection.documents)
    const ids = (await differingDocuments(tx, past)).map(({ now }) => now.id)
    const names = await documentNames(tx, ids)
    return {
      status: 'dry-run',
      changes: await changesOf(tx, decidedNodes(tx, fates), head),
      documents: ids.map((id) => names.get(id) ?? ''),
      ...(await conflictsOf(tx, { selection, nodes: decidedNodes(tx, fates), past, head })),
      erased: selection.erased,
      target,
    }
  }, WHAT_WAS)
}

export function undoResult({ value, snapshot }: Recorded<Value>): UndoResult {
  const { conflicts, ...undone } = value
  const { target, erased } = undone
  if (conflicts) return { status: 'conflict', target, ...conflicts, erased }
  return snapshot ? { status: 'done', ...undone, snapshot } : { status: 'unchanged', target, erased }
}
