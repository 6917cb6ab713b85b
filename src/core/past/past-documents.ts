import { toAddress } from '../address.ts'
import type { DocumentMove, PastDocument } from '../port/history.ts'
import type { ReadTx, SnapshotRow } from '../port/store.ts'
import type { StoredDocument } from '../port/stored.ts'
import { expiryOf } from '../rows/document-query.ts'

/** Documents that differ from what they are now, apart from their nodes. */
export interface PastDocuments {
  /** What they were, by id. */
  rows: ReadonlyMap<number, StoredDocument>
  /** Their text has to be assembled from pieces. */
  appended: ReadonlySet<number>
  /** Keys that had expired then and are still stored. */
  hidden: ReadonlySet<number>
}

/** Reads what documents were at a snapshot, at the cost of what changed since. */
export async function readPastDocuments(tx: ReadTx, snapshot: SnapshotRow): Promise<PastDocuments> {
  const [changed, moves, expired] = await Promise.all([
    tx.changedDocuments(snapshot.id),
    tx.movedDocuments(snapshot.id),
    tx.documents({ kind: 'key', expiredAt: snapshot.createdAt }, 'row'),
  ])
  const states = new Map(changed.map((then) => [then.documentId, then]))
  const moved = new Map(moves.map((move) => [move.documentId, move]))
  const ids = [...new Set([...states.keys(), ...moved.keys()])]
  const rows = new Map<number, StoredDocument>()
  for (const now of await tx.documents({ ids }, 'stored')) {
    const then = states.get(now.id)
    rows.set(now.id, withAddress(then ? pastDocument(now, then, snapshot) : now, moved.get(now.id)))
  }
  return {
    rows,
    appended: new Set(changed.filter(({ isPiece }) => isPiece).map(({ documentId }) => documentId)),
    hidden: new Set(expired.map(({ id }) => id).filter((id) => !rows.has(id))),
  }
}

function withAddress(document: StoredDocument, move: DocumentMove | undefined): StoredDocument {
  if (!move) return document
  return { ...document, address: toAddress(document.address.kind, move.collection, move.name) }
}

/** One that is created again after its removal counts as created then; accesses are not versioned. */
function pastDocument(
  now: StoredDocument,
  { documentId: _, isPiece: __, updatedAt, ...then }: PastDocument,
  { createdAt: at }: SnapshotRow,
): StoredDocument {
  const document = { ...now, ...then, updatedAt: updatedAt ?? now.updatedAt, appended: false }
  const expiresAt = expiryOf(document)
  const isExpired = document.address.kind === 'key' && expiresAt !== null && expiresAt <= at
  return {
    ...document,
    state: isExpired ? 'removed' : document.state,
    createdAt: Math.min(now.createdAt, document.updatedAt),
  }
}
