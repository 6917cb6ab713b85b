import { placeOf } from '../address.ts'
import type { Address } from '../model.ts'
import type { Attributes, TextPiece } from '../port/doors.ts'
import type { SpaceState } from '../port/history.ts'
import type { SnapshotRow, WriteTx } from '../port/store.ts'
import type { StoredDocument } from '../port/stored.ts'
import type { DocumentVersionWrite, WriteSet } from '../port/write-set.ts'
import { utf8Length } from '../tokens.ts'
import { doorCounts, tagRows, tagsOf } from './door-counts.ts'
import { textReferences } from './node-writes.ts'
import { userCounts } from './user-counts.ts'

/** A document to store. */
export interface DocumentPut {
  address: Address
  digest: string
  /** The exact text, for doors that return it byte for byte; null if nodes are the only content. */
  text: string | null
  /** The attributes of its door; missing: a file or a note. */
  attributes?: Attributes
  /** Of the texts of its nodes, if it is a note. */
  noteBytes?: number
}

/** A change of a document, with the text if it is new to the memory, and the appended piece. */
export interface DocumentChange {
  before: StoredDocument | null
  after: StoredDocument
  text?: string | null
  piece?: TextPiece
}

/** What changes of documents need from their transaction. */
export interface DocumentContext {
  tx: Pick<WriteTx, 'documents' | 'documentVersions' | 'commit'>
  base(): Promise<SpaceState>
  /** Milliseconds since 1970. */
  at: number
  /** Who creates documents; null: nobody that the server knows. */
  userId: string | null
  /** How many document ids were assigned so far. */
  newDocuments: { count: number }
  /** By document: the text of its version in this transaction. */
  versioned: Map<number, string | null>
}

/** Creates or replaces documents; without a snapshot only the document row is stored. */
export async function storeDocuments(
  context: DocumentContext,
  puts: readonly DocumentPut[],
  snapshot: SnapshotRow | null,
  found?: readonly StoredDocument[],
): Promise<DocumentChange[]> {
  const stored = found ?? (await context.tx.documents({ at: puts.map(({ address }) => address) }, 'stored'))
  const changes = await changedDocuments(context, puts, stored)
  await commitDocuments(context, changes, snapshot)
  return changes
}

/** The changes of putting documents; `found`: those that exist. */
export async function changedDocuments(
  context: DocumentContext,
  puts: readonly DocumentPut[],
  found: readonly StoredDocument[],
): Promise<DocumentChange[]> {
  const stored = new Map(found.map((document) => [JSON.stringify(document.address), document]))
  const { nextDocumentId } = await context.base()
  return puts.map((put) => {
    const before = stored.get(JSON.stringify(put.address)) ?? null
    const id = before?.id ?? nextDocumentId + context.newDocuments.count++
    return { before, after: putOver(before, put, { ...context, id }), text: put.text }
  })
}

/**
 * A document that returns after its removal is new to its door, and belongs to who creates it then. Changes never go
 * back in time, whatever the clock.
 */
function putOver(
  before: StoredDocument | null,
  {
    address,
    digest,
    text,
    attributes = null,
    noteBytes = bytesOf(text),
  }: Omit<DocumentPut, 'attributes'> & { attributes?: Attributes | null },
  { id, at, userId }: Pick<DocumentContext, 'at' | 'userId'> & { id: number },
): StoredDocument {
  const updatedAt = Math.max(at, before?.updatedAt ?? 0)
  const content = {
    ...{ digest, textDigest: text === null ? null : digest, appended: false, attributes },
    textBytes: noteBytes,
  }
  const creator = address.kind === 'source' ? null : userId
  if (!before) return { ...NEW, id, address, ...content, userId: creator, createdAt: at, updatedAt: at }
  const origin =
    before.state === 'live'
      ? { createdAt: before.createdAt, userId: before.userId }
      : { createdAt: updatedAt, userId: creator }
  return { ...before, ...content, ...origin, state: 'live', updatedAt, revision: before.revision + 1 }
}

export function bytesOf(text: string | null): number {
  return text === null ? 0 : utf8Length(text)
}

const NEW = { state: 'live', revision: 1, accesses: 0, accessedAt: null } as const
const NO_TEXT = { digest: null, textDigest: null, textBytes: 0, appended: false }
export const NO_ACCESSES = { accesses: 0, accessedAt: null }

/** Removes documents: their doors keep nothing of them. At the time of the snapshot, if there is one. */
export async function dropDocuments(
  context: DocumentContext,
  documents: readonly StoredDocument[],
  snapshot: SnapshotRow | null,
): Promise<void> {
  const changes = documents.map((before): DocumentChange => {
    const updatedAt = Math.max(before.updatedAt, snapshot?.createdAt ?? context.at)
    const nothing = { ...NO_TEXT, ...NO_ACCESSES, attributes: before.attributes && {} }
    return {
      before,
      after: { ...before, ...nothing, state: 'removed', revision: before.revision + 1, updatedAt },
    }
  })
  await commitDocuments(context, changes, snapshot)
}

/** Replaces a document with a tombstone that has `attributes`. Its history is already deleted. */
export async function buryDocument(
  context: DocumentContext,
  documentId: number,
  snapshot: SnapshotRow,
  attributes: Attributes | null,
): Promise<void> {
  context.versioned.delete(documentId)
  await changeStored(context, [documentId], snapshot, (before) => ({
    ...before,
    ...NO_TEXT,
    ...NO_ACCESSES,
    attributes,
    state: 'erased',
    revision: before.revision + 1,
    updatedAt: Math.max(before.updatedAt, snapshot.createdAt),
  }))
}

/** After edits by hand: the last text put no longer matches the document. Files on disk keep theirs. */
export async function clearDigests(
  context: DocumentContext,
  documents: readonly StoredDocument[],
  snapshot: SnapshotRow,
  growth: NoteGrowth,
): Promise<void> {
  const changes = documents
    .filter(({ address }) => address.kind !== 'source')
    .map((before) => {
      const textBytes = before.textBytes + grownBy(growth, before)
      // What a rollback removed, an edit that brings back a node of it makes live.
      const state = before.state === 'removed' ? 'live' : before.state
      return { before, after: { ...before, state, digest: null, textBytes, revision: before.revision + 1 } }
    })
  if (changes.length > 0) await commitDocuments(context, changes, snapshot)
}

/** By how many bytes the texts of nodes have grown, by document. */
export type NoteGrowth = ReadonlyMap<number, number>

/** Other documents have an exact text. The size of a note from before there were users is unknown. */
export function grownBy(growth: NoteGrowth, { id, address, userId }: StoredDocument): number {
  return address.kind === 'note' && userId !== null ? (growth.get(id) ?? 0) : 0
}

/** Gives documents another address; content and identity stay. */
export async function moveDocuments(
  context: DocumentContext,
  moves: readonly { documentId: number; address: Address }[],
  snapshot: SnapshotRow,
): Promise<void> {
  const addresses = new Map(moves.map(({ documentId, address }) => [documentId, address]))
  const stored = await context.tx.documents({ ids: [...addresses.keys()] }, 'stored')
  const changes = stored.map((before) => ({
    before,
    after: {
      ...before,
      address: addresses.get(before.id) as Address,
      revision: before.revision + 1,
      updatedAt: Math.max(before.updatedAt, context.at),
    },
  }))
  await commitDocuments(context, changes, null)
  const put = stored.map(({ id: documentId, address }) => ({
    ...{ documentId, snapshotId: snapshot.id },
    ...placeOf(address),
  }))
  await context.tx.commit({ moves: { put, remove: [] } })
}

/** Appends a piece to a text, at the cost of the piece: from then on the versions of the document hold its text. */
export async function appendPiece(
  context: DocumentContext,
  { documentId, piece, attributes }: { documentId: number; piece: TextPiece; attributes: Attributes },
  snapshot: SnapshotRow,
): Promise<void> {
  const [before] = await context.tx.documents({ ids: [documentId] }, 'stored')
  if (!before) throw new Error('cannot append to a document that does not exist')
  const after = {
    ...before,
    ...NO_TEXT,
    appended: true,
    textBytes: before.textBytes + bytesOf(piece.lead + piece.text + piece.trail),
    attributes,
    revision: before.revision + 1,
    updatedAt: Math.max(before.updatedAt, context.at),
  }
  await commitDocuments(context, [{ before, after, piece }], snapshot)
}

/** `change` returns the new state of a document; undefined: unchanged. */
async function changeStored(
  context: DocumentContext,
  ids: readonly number[],
  snapshot: SnapshotRow | null,
  change: (before: StoredDocument) => StoredDocument | undefined,
): Promise<void> {
  const stored = await context.tx.documents({ ids }, 'stored')
  const changes = stored.flatMap((before) => {
    const after = change(before)
    return after ? [{ before, after }] : []
  })
  if (changes.length > 0) await commitDocuments(context, changes, snapshot)
}

export async function commitDocuments(
  context: DocumentContext,
  changes: readonly DocumentChange[],
  snapshot: SnapshotRow | null,
): Promise<void> {
  await context.tx.commit(documentWrites(changes, snapshot?.id ?? null, context.versioned))
}

/**
 * The rows of changed documents: documents, versions, references to texts, and counts. Without a snapshot there are no
 * versions.
 */
export function documentWrites(
  changes: readonly DocumentChange[],
  snapshotId: number | null,
  versioned: Map<number, string | null>,
): WriteSet {
  const texts = textReferences()
  const put = new Map<number, DocumentVersionWrite>()
  const remove: { documentId: number; snapshotId: number }[] = []
  for (const { before, after, text = null, piece } of changes) {
    if (before?.textDigest !== after.textDigest) {
      if (after.textDigest !== null) texts.add(after.textDigest, text)
      if (before?.textDigest) texts.add(before.textDigest, null, -1)
    }
    if (snapshotId === null || after.address.kind === 'source') continue
    const version = versionOf(after, before, piece)
    const replaced = versioned.get(after.id)
    if (piece && replaced !== undefined)
      throw new Error('a snapshot has one version of a document: a piece cannot replace it')
    // A version in this set is not stored yet.
    if (replaced !== undefined && !put.has(after.id)) remove.push({ documentId: after.id, snapshotId })
    put.set(after.id, { ...version, snapshotId })
    versioned.set(after.id, version.textDigest)
    if (version.textDigest !== null) texts.add(version.textDigest, piece?.text ?? text)
    if (replaced) texts.add(replaced, null, -1)
  }
  return {
    documents: changes.map(({ before, after }) => ({ before, after })),
    tags: changes.flatMap(({ before, after }) => changedTags(before, after) ?? []),
    documentVersions: { put: [...put.values()], remove },
    texts: texts.list().filter(({ by }) => by !== 0),
    ...doorCounts(changes),
    userCounts: userCounts(changes),
  }
}

/** Undefined: unchanged. */
function changedTags(
  before: StoredDocument | null,
  { id: documentId, attributes }: StoredDocument,
): NonNullable<WriteSet['tags']>[number] | undefined {
  const [had, has] = [new Set(tagsOf(before?.attributes ?? null)), new Set(tagsOf(attributes))]
  const isSame = had.size === has.size && [...has].every((tag) => had.has(tag))
  return isSame ? undefined : { documentId, tags: tagRows(attributes) }
}

function versionOf(
  { id: documentId, state, digest, textDigest, attributes }: StoredDocument,
  before: StoredDocument | null,
  piece: TextPiece | undefined,
): Omit<DocumentVersionWrite, 'snapshotId'> {
  if (!piece) return { documentId, state, digest, textDigest, attributes, lead: null, trail: null }
  const isSame = JSON.stringify(attributes) === JSON.stringify(before?.attributes)
  const { lead, trail, digest: ofPiece } = piece
  const around = { lead, trail: trail === '' ? null : trail }
  return {
    documentId,
    state,
    digest: null,
    textDigest: ofPiece,
    attributes: isSame ? null : attributes,
    ...around,
  }
}
