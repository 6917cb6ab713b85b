import { MemoryError } from '../errors.ts'
import type { DoorDocument, DoorKind } from '../port/doors.ts'
import type { DocumentNodeRow, ReadTx } from '../port/store.ts'
import { type PutContext, removeDocument } from '../put.ts'
import type { DoorDeps } from './put-text.ts'
import { saysSo } from './says-so.ts'
import { splices, type ToldNode } from './splice.ts'

const DOORS: readonly string[] = ['record', 'key', 'file'] satisfies DoorKind[]

/** Takes what the tree made of a document, as if it had come in by the door: refuses more than the door takes. */
export type TakeRetold = (
  deps: DoorDeps,
  context: PutContext,
  document: DoorDocument,
  text: string,
) => Promise<void>

/** What it takes to change nodes of any door. */
export interface RetellDeps extends DoorDeps {
  doors: Record<DoorKind, TakeRetold>
}

/** The document of a node, when it came through a door that keeps exact texts. */
export async function doorDocumentOf(
  tx: ReadTx,
  { documentId, id }: Pick<DocumentNodeRow, 'documentId' | 'id'>,
): Promise<DoorDocument | undefined> {
  const kind = await tx.documentKind(documentId)
  if (kind === undefined || !DOORS.includes(kind)) return undefined
  return (await tx.doorDocumentsOfNodes(kind as DoorKind, [id])).get(id)
}

/**
 * Nodes of a door's document are changed by hand: the document says something else now, and is stored as its door would store
 * it, so that both doors go on saying the same. By key of a node: its new words, or null for none.
 */
export async function retell(
  deps: RetellDeps,
  context: PutContext,
  document: DoorDocument,
  edits: ReadonlyMap<number, string | null>,
): Promise<void> {
  const kind = document.address.kind as DoorKind
  const nodes = await toldNodes(context.tx, document.id)
  const name = kind === 'key' ? nodes.shift() : undefined
  const isGone = nodes.every(({ key }) => edits.get(key) === null) && !isSaid(edits)
  if (isGone) {
    await removeDocument(context, document)
    return
  }
  if (name && edits.has(name.key)) throw otherwise(document, 'is the name of a key, and no part of its value')
  const text = isText(document) ? toldAnew(deps, document, nodes, edits) : undefined
  if (text === undefined) throw otherwise(document, `is part of a ${kind} whose text has other words for it`)
  await deps.doors[kind](deps, context, document, text)
}

/** Whether something is said instead of anything. */
function isSaid(edits: ReadonlyMap<number, string | null>): boolean {
  return [...edits.values()].some((edit) => edit !== null)
}

/** What a blob holds is no text. */
function isText({ attributes }: DoorDocument): boolean {
  return attributes.value_type !== 'image' && attributes.value_type !== 'blob'
}

const STORE_ANEW: Record<DoorKind, string> = {
  record: 'change the record with update_memory',
  key: 'store the key again with remember',
  file: 'change the file with memory update',
}

function otherwise({ address }: DoorDocument, why: string): MemoryError {
  return new MemoryError('CONFLICT', `the node ${why}; ${STORE_ANEW[address.kind as DoorKind]}`)
}

/** The first text that says what the nodes are to say, and everything else as before. */
function toldAnew(
  deps: DoorDeps,
  { text }: DoorDocument,
  nodes: readonly ToldNode[],
  edits: ReadonlyMap<number, string | null>,
): string | undefined {
  const reading = { parse: deps.parseWhole, redact: deps.redact }
  for (const told of splices(text ?? '', nodes, edits)) if (saysSo(reading, told, nodes, edits)) return told
  return undefined
}

/** The live nodes of a document in the order of its text. */
async function toldNodes(tx: ReadTx, documentId: number): Promise<ToldNode[]> {
  const rows = (await tx.documentNodes(documentId)).filter(({ live }) => live)
  const own = new Set(rows.map(({ key }) => key))
  const texts = await tx.texts(rows.map(({ digest }) => digest))
  const below = Map.groupBy(rows, ({ parentKey }) =>
    parentKey !== null && own.has(parentKey) ? parentKey : null,
  )
  const told: ToldNode[] = []
  const stack = inOrder(below.get(null)).reverse()
  for (let row = stack.pop(); row; row = stack.pop()) {
    told.push({ key: row.key, type: row.type, text: texts.get(row.digest) ?? '' })
    stack.push(...inOrder(below.get(row.key)).reverse())
  }
  return told
}

function inOrder(rows: readonly DocumentNodeRow[] = []): DocumentNodeRow[] {
  return [...rows].sort((a, b) =>
    a.position < b.position ? -1 : a.position > b.position ? 1 : a.key - b.key,
  )
}
