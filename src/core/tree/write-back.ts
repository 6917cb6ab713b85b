import { type DoorDeps, putText, type TextPut } from '../doors/put-text.ts'
import { MemoryError } from '../errors.ts'
import { isExpired } from '../keys/document.ts'
import type { DoorDocument, DoorKind } from '../port/doors.ts'
import { isOfDoor } from '../port/rows.ts'
import type { DocumentNodeRow, ReadTx, Store } from '../port/store.ts'
import type { StoredDocument } from '../port/stored.ts'
import { checkRoom, type RoomCheck, usedRoom } from '../records/room.ts'
import { findNode, notFound, stale } from '../write/operation.ts'
import { type PutContext, removeDocuments } from '../write/put.ts'
import { type Edits, prepareEditedText } from './edited-text.ts'
import type { DocumentNode } from './splice.ts'

/** The new state of a document after edits of its nodes, and the room that it needs. */
export interface DoorPut {
  put: TextPut
  room?: RoomCheck
}

/** Prepares an edited document as if it came through its door, with that door's limits. */
export type PrepareDoorPut = (deps: DoorDeps, document: DoorDocument, text: string) => Promise<DoorPut>

/** Dependencies of edits to nodes of any door. */
export interface WriteBackDeps extends DoorDeps {
  doors: Record<DoorKind, PrepareDoorPut>
}

/**
 * An edit of nodes that belong to a door's document: the document is stored again as its door would store it, so that
 * both doors show the same. Computed from the document at `revision`.
 */
export interface WriteBack {
  documentId: number
  revision: number
  /** Null: nothing is left of it. */
  next: DoorPut | null
}

/**
 * The document after an edit of a node; undefined if it has no exact text. `editsOf` returns the edit, or undefined if
 * the operation rejects it anyway. Parses and redacts, so it runs before the transaction.
 */
export async function prepareWriteBack(
  deps: WriteBackDeps,
  id: string,
  editsOf: (tx: ReadTx, row: DocumentNodeRow) => Promise<Edits | undefined>,
): Promise<WriteBack | undefined> {
  const read = await readDocumentAndEdits(deps.store, id, editsOf)
  if (!read) return undefined
  const { document, nodes, edits } = read
  const { id: documentId, revision } = document
  return { documentId, revision, next: await nextOf(deps, document, nodes, edits) }
}

function readDocumentAndEdits(
  store: Pick<Store, 'read'>,
  id: string,
  editsOf: Parameters<typeof prepareWriteBack>[2],
) {
  return store.read(async (tx) => {
    if (typeof id !== 'string') return undefined
    const [row, [document]] = await Promise.all([findNode(tx, id), tx.documents({ ofNode: id }, 'whole')])
    if (!row || !document || !isOfDoor(document)) return undefined
    const edits = await editsOf(tx, row)
    return edits && { document, nodes: await listDocumentNodes(tx, document.id), edits }
  })
}

/** Applies it to the node `id` of `document`. Throws `stale` if the document has changed since it was read. */
export async function putWriteBack(
  context: PutContext,
  { id, document, writeBack }: { id: string; document: StoredDocument; writeBack: WriteBack | undefined },
): Promise<void> {
  // Expired: invisible, but not removed yet.
  if (isExpired(document.attributes ?? {}, context.at)) notFound(id)
  if (writeBack?.documentId !== document.id || writeBack.revision !== document.revision) throw stale()
  const { next } = writeBack
  if (!next) {
    await removeDocuments(context, [document])
    return
  }
  const { room } = next
  if (room) await checkRoom(room, () => usedRoom(context.tx, room.core))
  await putText(context, next.put)
}

async function nextOf(
  deps: WriteBackDeps,
  document: DoorDocument,
  nodes: DocumentNode[],
  edits: Edits,
): Promise<DoorPut | null> {
  const kind = document.address.kind as DoorKind
  const name = kind === 'key' ? nodes.shift() : undefined
  const isGone = nodes.every(({ key }) => edits.get(key) === null) && !hasNewText(edits)
  if (isGone) return null
  if (name && edits.has(name.key))
    throw cannotWriteBack(document, 'is the name of a key, not part of its value')
  const text = isText(document)
    ? await deps.prepare(prepareEditedText, { text: document.text ?? '', nodes, edits })
    : undefined
  if (text === undefined)
    throw cannotWriteBack(document, `is part of a ${kind} and cannot be mapped back to its text`)
  return deps.doors[kind](deps, document, text)
}

/** Whether an edit has new text. */
function hasNewText(edits: Edits): boolean {
  return [...edits.values()].some((edit) => edit !== null)
}

/** A blob is not text. */
function isText({ attributes }: DoorDocument): boolean {
  return attributes.value_type !== 'image' && attributes.value_type !== 'blob'
}

const ADVICE: Record<DoorKind, string> = {
  record: 'change the record with update_memory',
  key: 'store the key again with remember',
  file: 'change the file with memory update',
}

function cannotWriteBack({ address }: DoorDocument, why: string): MemoryError {
  return new MemoryError('CONFLICT', `the node ${why}; ${ADVICE[address.kind as DoorKind]}`)
}

/** The live nodes of a document in the order of its text. */
async function listDocumentNodes(tx: ReadTx, documentId: number): Promise<DocumentNode[]> {
  const rows = await tx.nodes({ document: documentId }, 'full')
  const own = new Set(rows.map(({ key }) => key))
  const texts = await tx.texts(rows.map(({ digest }) => digest))
  const below = Map.groupBy(rows, ({ parentKey }) =>
    parentKey !== null && own.has(parentKey) ? parentKey : null,
  )
  const nodes: DocumentNode[] = []
  const stack = inOrder(below.get(null)).reverse()
  for (let row = stack.pop(); row; row = stack.pop()) {
    nodes.push({ key: row.key, type: row.type, text: texts.get(row.digest) ?? '' })
    stack.push(...inOrder(below.get(row.key)).reverse())
  }
  return nodes
}

function inOrder(rows: readonly DocumentNodeRow[] = []): DocumentNodeRow[] {
  return [...rows].sort((a, b) =>
    a.position < b.position ? -1 : a.position > b.position ? 1 : a.key - b.key,
  )
}
