import type { StoredRows } from '../port/scan.ts'
import type { ReadTx } from '../port/store.ts'
import type { DocumentThen } from '../rows/restore-documents.ts'
import { pagesOf, textsOf } from '../rows/stored-pages.ts'
import { utf8Length } from '../tokens.ts'
import { pastDocument } from './document-past.ts'

/** A version of a document as it is stored. */
export type StoredDocumentVersion = StoredRows['documentVersions']

/** Documents read at once: their last texts are in memory together. */
const CHUNK = 100

/** All versions of documents, oldest first. Source files have none. */
export async function documentHistories(
  tx: ReadTx,
  ids: readonly number[],
): Promise<Map<number, StoredDocumentVersion[]>> {
  const histories = new Map<number, StoredDocumentVersion[]>(ids.map((id) => [id, []]))
  if (ids.length === 0) return histories
  for await (const page of pagesOf(tx, 'documentVersions', { of: { documentId: ids } }))
    for (const version of page) histories.get(version.documentId)?.push(version)
  return histories
}

/** A document, and the snapshot whose state it is to have again. */
export interface DocumentTarget {
  documentId: number
  at: number
}

/** The states of documents at snapshots. One that did not exist then, or was erased, is removed. */
export async function documentsAt(tx: ReadTx, targets: readonly DocumentTarget[]): Promise<DocumentThen[]> {
  const states: DocumentThen[] = []
  for (let from = 0; from < targets.length; from += CHUNK) {
    const chunk = targets.slice(from, from + CHUNK)
    const histories = await documentHistories(
      tx,
      chunk.map(({ documentId }) => documentId),
    )
    const lasts = chunk.map(({ documentId, at }) =>
      histories.get(documentId)?.findLast(({ snapshotId }) => snapshotId <= at),
    )
    const texts = await textsOf(
      tx,
      lasts.flatMap((last) => last ?? []),
    )
    for (const [place, target] of chunk.entries())
      states.push({ ...target, ...stateOf(lasts[place], texts.get(lasts[place]?.textKey ?? null)) })
  }
  return states
}

function stateOf(
  last: StoredDocumentVersion | undefined,
  text: StoredRows['texts'] | undefined,
): Omit<DocumentThen, keyof DocumentTarget> {
  const textBytes = utf8Length(String(text?.text ?? ''))
  if (!last || last.state === 'erased') return { ...pastDocument([]), textBytes: 0 }
  const { attributes = null, ...version } = last
  return { ...pastDocument([{ ...version, attributes, textDigest: text?.digest ?? null }]), textBytes }
}
