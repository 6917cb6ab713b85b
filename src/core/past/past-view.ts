import type { ReadTx, SnapshotRow } from '../port/store.ts'
import type { StoredDocument } from '../port/stored.ts'
import { expiryOf } from '../rows/document-query.ts'
import { type PastDocuments, readPastDocuments } from './past-documents.ts'
import { noPastNodes, type PastNodes, readPastNodes } from './past-nodes.ts'
import { createPastWords, type PastWords } from './past-words.ts'

/** What is different at a snapshot from what is stored now. */
export interface PastView {
  snapshot: SnapshotRow
  nodes: PastNodes
  /** Documents that differ, or whose nodes do, as they were. */
  documents: ReadonlyMap<number, StoredDocument>
  /** Those of them that differ themselves, and not only their nodes. */
  changed: ReadonlySet<number>
  appended: PastDocuments['appended']
  words: PastWords
}

/** `documents`: only keys, records and files, and nothing about their nodes. */
export type PastPart = 'all' | 'documents'

/** Read at the cost of what changed since the snapshot. */
export async function readPastView(tx: ReadTx, snapshot: SnapshotRow, part: PastPart): Promise<PastView> {
  const documents = await readPastDocuments(tx, snapshot)
  const nodes = part === 'all' ? await nodesSince(tx, snapshot, documents) : noPastNodes()
  const ids = [...new Set([...documents.rows.keys(), ...nodes.documents.keys()])]
  const today = await tx.documents({ ids }, 'stored')
  const then = today.map((now) => {
    const row = documents.rows.get(now.id)
    const hasVersions = row !== undefined && row.address.kind !== 'source'
    const isHidden = documents.hidden.has(now.id)
    return [now.id, hasVersions ? row : withNodes(row ?? now, nodes, snapshot, isHidden)] as const
  })
  return {
    ...{ snapshot, nodes, documents: new Map(then), appended: documents.appended },
    ...{ changed: new Set(documents.rows.keys()), words: createPastWords({ nodes, snapshot }) },
  }
}

async function nodesSince(
  tx: ReadTx,
  { id: since }: SnapshotRow,
  { rows, hidden }: PastDocuments,
): Promise<PastNodes> {
  const until = (await tx.state()).head?.id ?? 0
  return readPastNodes(tx, { since, until }, { documents: rows.keys(), hidden })
}

/** Files on disk have no versions of their own: one was there if it had nodes. */
function withNodes(
  now: StoredDocument,
  nodes: PastNodes,
  { createdAt: at }: SnapshotRow,
  isHidden: boolean,
): StoredDocument {
  if (isHidden) return { ...now, state: 'removed' }
  const own = nodes.documents.get(now.id) ?? []
  const hadNodes = own.some(({ was }) => was !== null)
  const isLive = hadNodes || (now.state === 'live' && now.createdAt <= at && expiryOf(now) === null)
  return { ...now, state: isLive ? 'live' : 'removed' }
}
