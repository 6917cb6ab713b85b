import { contentDigest } from '../../util/text/hash.ts'
import type { PastDocument } from '../port/history.ts'
import { isOfDoor } from '../port/rows.ts'
import type { SnapshotRow, WriteTx } from '../port/store.ts'
import type { StoredDocument } from '../port/stored.ts'
import {
  bytesOf,
  commitDocuments,
  type DocumentChange,
  type DocumentContext,
  grownBy,
  NO_ACCESSES,
  type NoteGrowth,
} from './documents.ts'

/** A document, and the snapshot whose state it is to have again. */
export interface DocumentThen extends Omit<PastDocument, 'updatedAt'> {
  at: number
}

/** Documents that a snapshot after `target` changed, with their states then. */
export async function documentsSince(
  tx: Pick<WriteTx, 'changedDocuments'>,
  target: number,
): Promise<DocumentThen[]> {
  return (await tx.changedDocuments(target)).map((then) => ({ ...then, at: target }))
}

/** Their texts are in memory together. */
const RESTORED_AT_ONCE = 100

/** Restores documents' exact texts, attributes and states, at the time of the snapshot. */
export async function restoreDocuments(
  context: DocumentContext,
  past: readonly DocumentThen[],
  snapshot: SnapshotRow,
  growth: NoteGrowth,
): Promise<void> {
  for (let at = 0; at < past.length; at += RESTORED_AT_ONCE) {
    const page = past.slice(at, at + RESTORED_AT_ONCE)
    const stored = await storedById(context.tx, page)
    const changes: DocumentChange[] = []
    for (const then of page) {
      const before = stored.get(then.documentId) as StoredDocument
      const { text, ...whole } = await assembled(context.tx, then)
      const size = before.address.kind === 'note' && { textBytes: before.textBytes + grownBy(growth, before) }
      changes.push({ before, after: restored(before, { ...whole, ...size }, snapshot), text })
    }
    await commitDocuments(context, changes, snapshot)
  }
}

type Then = Pick<StoredDocument, 'state' | 'digest' | 'textDigest' | 'textBytes' | 'attributes'>

/** The state of a document, with its text if that was in pieces. */
async function assembled(
  tx: Pick<WriteTx, 'documentVersions'>,
  { documentId, at, isPiece, ...then }: DocumentThen,
): Promise<Then & { text: string | null }> {
  const [version] = isPiece ? await tx.documentVersions(documentId, { limit: 1, before: at + 1 }) : []
  if (!version) return { ...then, text: null }
  const { text, attributes } = version
  const textDigest = text === null ? null : contentDigest(text)
  return { ...then, textDigest, textBytes: bytesOf(text), attributes, text }
}

/** Accesses are not part of the content: only live documents have a count. Erased text does not return. */
function restored(before: StoredDocument, then: Then, { createdAt: updatedAt }: SnapshotRow): StoredDocument {
  if (before.state === 'erased') return before
  const { state, digest, textDigest, textBytes } = then
  // As after any removal: without attributes of its own a version has those of the previous one.
  const attributes = state === 'removed' ? before.attributes && {} : then.attributes
  const accesses = state === 'live' ? {} : NO_ACCESSES
  const content = { state, digest, textDigest, textBytes, attributes, ...accesses }
  return { ...before, ...content, appended: false, revision: before.revision + 1, updatedAt }
}

/** Those of doors that differ from their states then, in text, attributes or state. */
export async function differingDocuments(
  tx: Pick<WriteTx, 'documents' | 'documentVersions'>,
  past: readonly DocumentThen[],
): Promise<{ now: StoredDocument; then: DocumentThen }[]> {
  const stored = await storedById(tx, past)
  const differing: { now: StoredDocument; then: DocumentThen }[] = []
  for (const then of past) {
    const now = stored.get(then.documentId)
    if (!now || !isOfDoor(now) || now.state === 'erased') continue
    const current = { ...now, documentId: now.id, at: Number.MAX_SAFE_INTEGER - 1, isPiece: now.appended }
    const isSame = contentOf(await assembled(tx, current)) === contentOf(await assembled(tx, then))
    if (!isSame) differing.push({ now, then })
  }
  return differing
}

async function storedById(
  tx: Pick<WriteTx, 'documents'>,
  past: readonly DocumentThen[],
): Promise<Map<number, StoredDocument>> {
  const ids = past.map(({ documentId }) => documentId)
  return new Map((await tx.documents({ ids }, 'stored')).map((row) => [row.id, row]))
}

/** Removed documents have no content. */
function contentOf({ state, textDigest, attributes }: Then): string {
  return JSON.stringify(state === 'removed' ? [state] : [state, textDigest, attributes])
}
