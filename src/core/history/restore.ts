import { shownName } from '../address.ts'
import { MemoryError } from '../errors.ts'
import type { Address } from '../model.ts'
import { type Moment, momentAt, parseMoment } from '../past/moment.ts'
import type { MomentInput } from '../port/history.ts'
import { isOfDoor } from '../port/rows.ts'
import type { DocumentNodeRow, DocumentRow, ReadTx } from '../port/store.ts'
import { nodePages } from '../rows/stored-pages.ts'
import { documentAt } from '../write/documents.ts'
import { checkNodeId, mutate, notFound, type OperationDeps, snapshotOperation } from '../write/operation.ts'
import { PAGE } from './bring-back.ts'
import { documentsAt } from './document-histories.ts'
import { chunksOf, emptySelection, type Selection } from './selection.ts'
import { previewUndo, type Selected, type UndoPreview, type UndoResult, undo, undoResult } from './undo.ts'

/** One node with what was below it, or one whole document, and the moment to bring it back from. */
export type RestoreInput = ({ id: string } | { document: Address }) & {
  snapshot: MomentInput
  /** Decides for the older text where there is a conflict. */
  force?: boolean
}

/**
 * Brings one node or document back to what it was at a snapshot. A node comes with what was below it; what was added
 * below it since stays. A node of a key, a record or a file brings back the whole document, which is stored as one text.
 */
export async function restore(deps: OperationDeps, input: RestoreInput): Promise<UndoResult> {
  const parsed = parseInput(input, deps.now())
  const name = 'id' in input ? input.id : shownName(input.document)
  const message = `restore ${name} from ${input.snapshot}`
  return undoResult(await mutate(deps, restoreAt, { operation: 'restore', message, input: parsed }))
}

/** Decides like `restore`, in one read. */
export async function previewRestore(
  { store, now }: Pick<OperationDeps, 'store' | 'now'>,
  input: RestoreInput,
): Promise<UndoPreview> {
  const parsed = parseInput(input, now())
  return previewUndo(store, (tx) => selectRestore(tx, parsed))
}

export const restoreAt = snapshotOperation('restore', async (context, input: Parsed) =>
  undo(context, await selectRestore(context.tx, input), {
    operation: 'restore',
    force: input.force,
  }),
)

type Parsed = ({ id: string } | { document: Address }) & { moment: Moment; force: boolean }

function parseInput({ snapshot, force = false, ...what }: RestoreInput, now: number): Parsed {
  if (!('document' in what)) checkNodeId(what.id)
  return { ...what, moment: parseMoment(snapshot, now), force }
}

async function selectRestore(tx: ReadTx, input: Parsed): Promise<Selected> {
  const [{ id: at }, { head }] = await Promise.all([momentAt(tx, input.moment), tx.state()])
  const range = { at, head: head?.id ?? at }
  const selection = await ('document' in input
    ? selectDocument(tx, input, range)
    : selectNode(tx, input, range))
  return { selection, head: range.head, target: at }
}

interface Range {
  at: number
  head: number
}

async function selectDocument(
  tx: ReadTx,
  { document: address }: { document: Address },
  { at }: Range,
): Promise<Selection> {
  const document = await documentAt(tx, address, 'row')
  if (!document) {
    throw new MemoryError('NOT_FOUND', 'document not found; `remindb tree` shows where each node comes from')
  }
  checkNotErased(document)
  const selection = emptySelection()
  await addDocument(tx, selection, document, at)
  const wasThere = address.kind === 'source' ? hasState(tx, selection) : wasLive(tx, document, at)
  if (!(await wasThere)) throw wasNotThere('the document', at, 'revert')
  return selection
}

async function wasLive(tx: ReadTx, { id }: DocumentRow, at: number): Promise<boolean> {
  const [then] = await documentsAt(tx, [{ documentId: id, at }])
  return then?.state === 'live'
}

/** Whether one of its nodes had a state then. */
async function hasState(tx: ReadTx, { nodes }: Selection): Promise<boolean> {
  for (const keys of chunksOf([...nodes.keys()])) {
    const states = await tx.statesAt(keys, nodes.get(keys[0] as number) ?? 0)
    if (states.some(({ state }) => state !== null)) return true
  }
  return false
}

/** All of a document, as one. */
export async function addDocument(
  tx: ReadTx,
  { nodes, documents }: Selection,
  { id, address }: Pick<DocumentRow, 'id' | 'address'>,
  at: number,
): Promise<void> {
  for await (const page of nodePages(tx, id)) for (const { key } of page) nodes.set(key, at)
  if (address.kind !== 'source') documents.push({ documentId: id, at })
}

async function selectNode(tx: ReadTx, { id }: { id: string }, range: Range): Promise<Selection> {
  const [[node], [document]] = await Promise.all([
    tx.nodes({ ids: [id], removed: true }, 'full'),
    tx.documents({ ofNode: id }, 'row'),
  ])
  if (!node || !document) return notFound(id)
  checkNotErased(document)
  const [then] = await tx.statesAt([node.key], range.at)
  if (!then?.state) throw wasNotThere(`node ${id}`, range.at, 'history')
  const selection = emptySelection()
  for (const key of await subtreeThen(tx, node.key, range)) selection.nodes.set(key, range.at)
  await addWholeDocuments(tx, selection, range)
  return selection
}

/** A node of a door brings back its whole document. What else changed there since is in conflict. */
async function addWholeDocuments(tx: ReadTx, selection: Selection, { at }: Range): Promise<void> {
  const chosen = [...selection.nodes.keys()]
  for (const document of await doorDocumentsOf(tx, chosen)) {
    const asked = new Set(selection.nodes.keys())
    await addDocument(tx, selection, document, at)
    for (const key of selection.nodes.keys()) if (!asked.has(key)) selection.nodeConflicts.set(key, 'beside')
  }
}

async function doorDocumentsOf(tx: ReadTx, keys: readonly number[]): Promise<DocumentRow[]> {
  const ids = new Set<number>()
  for (const chunk of chunksOf(keys))
    for (const { documentId } of await tx.nodes({ keys: chunk, removed: true }, 'full')) ids.add(documentId)
  return (await tx.documents({ ids: [...ids] }, 'row')).filter(isOfDoor)
}

/** The keys of a node and of everything that was below it at a snapshot. */
async function subtreeThen(tx: ReadTx, top: number, range: Range): Promise<Set<number>> {
  const { parents, below } = await changedPlaces(tx, range)
  const found = new Set([top])
  for (let level = [top]; level.length > 0; ) {
    const next: number[] = []
    for (const keys of chunksOf(level)) {
      const now: DocumentNodeRow[] = await tx.nodes({ parents: keys }, 'full')
      const stayed = now.map(({ key }) => key).filter((key) => !parents.has(key))
      for (const key of [...stayed, ...keys.flatMap((parent) => below.get(parent) ?? [])]) {
        if (found.has(key)) continue
        found.add(key)
        next.push(key)
      }
    }
    level = next
  }
  return found
}

/** For each node that changed since: its parent then, and the reverse. */
async function changedPlaces(
  tx: ReadTx,
  { at, head }: Range,
): Promise<{ parents: Set<number>; below: Map<number, number[]> }> {
  const parents = new Set<number>()
  const below = new Map<number, number[]>()
  for (let after = 0, isMore = true; isMore; ) {
    const page = await tx.nodes({ changedIn: { since: at, until: head }, after, limit: PAGE }, 'id')
    const keys = page.map(({ key }) => key)
    for (const key of keys) parents.add(key)
    for (const { key, state } of await tx.statesAt(keys, at)) {
      if (!state || state.parentKey === null) continue
      below.set(state.parentKey, [...(below.get(state.parentKey) ?? []), key])
    }
    after = keys.at(-1) ?? after
    isMore = page.length === PAGE
  }
  return { parents, below }
}

function checkNotErased({ state }: DocumentRow): void {
  if (state === 'erased')
    throw new MemoryError(
      'REDACTED',
      'it was erased, and erased text does not come back; nothing was changed',
    )
}

function wasNotThere(what: string, at: number, advice: 'history' | 'revert'): MemoryError {
  const how = {
    history: 'its history shows when it was',
    revert: 'to remove what a snapshot added, revert that snapshot',
  }[advice]
  return new MemoryError('NOT_FOUND', `${what} was not there at snapshot ${at}: ${how}`)
}
