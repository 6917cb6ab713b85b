import type { ScannedDocumentVersion } from '../port/scan.ts'
import type { WriteTx } from '../port/store.ts'
import type { DocumentVersionWrite, HistoryFold, TextReferences, WriteSet } from '../port/write-set.ts'
import { textReferences } from '../rows/node-writes.ts'
import { textsOf } from '../rows/stored-pages.ts'
import { foldDocument, isMerged } from './fold-versions.ts'

export interface FoldedDocuments {
  moved: HistoryFold['documentVersions'][number][]
  replaced: NonNullable<WriteSet['documentVersions']>
  /** Versions that hold their texts no longer. */
  removed: ScannedDocumentVersion[]
  /** Texts of merged pieces. */
  texts: TextReferences[]
}

/** Folds versions of documents into a snapshot, with those that it already has. */
export async function foldDocuments(
  tx: Pick<WriteTx, 'scan'>,
  given: readonly ScannedDocumentVersion[],
  into: number,
): Promise<FoldedDocuments> {
  const documentId = [...new Set(given.map((row) => row.documentId))]
  const of = { documentId, snapshotId: [into] }
  const there =
    documentId.length > 0 ? await tx.scan('documentVersions', { of, limit: documentId.length }) : []
  const moved: FoldedDocuments['moved'] = []
  const put: DocumentVersionWrite[] = []
  const removed: ScannedDocumentVersion[] = []
  const references = textReferences()
  for (const versions of Map.groupBy([...given, ...there], (row) => row.documentId).values()) {
    const texts = isMerged(versions) ? await textsOf(tx, versions) : new Map()
    const folded = foldDocument(versions, into, ({ textKey }) => texts.get(textKey)?.text ?? null)
    removed.push(...folded.removed)
    if (folded.moved) moved.push({ documentId: folded.moved.documentId, from: folded.moved.snapshotId })
    if (!folded.merged) continue
    const { text, ...version } = folded.merged
    put.push(version)
    if (version.textDigest !== null) references.add(version.textDigest, text)
  }
  const remove = removed.map((row) => ({ documentId: row.documentId, snapshotId: row.snapshotId }))
  return { moved, replaced: { put, remove }, removed, texts: references.list() }
}
