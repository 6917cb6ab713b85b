import { contentDigest } from '../../util/text/hash.ts'
import type { KeyAttributes } from '../keys/model.ts'
import type { Attributes } from '../port/doors.ts'
import { lineError } from './import-lines.ts'
import type { TransferDocument, TransferDocumentVersion } from './transfer-rows.ts'

type State = Pick<TransferDocument, 'state' | 'digest' | 'text'> & {
  door: { attributes: Attributes | null } | null
}

/**
 * Checks the lines of one document against each other: its versions, from the oldest on, lead to its state, and nothing
 * erased is left. A forged file must not turn a tombstone into a live document.
 */
export function openDocument(line: number, row: Omit<TransferDocument, 'address'>) {
  checkState(line, 'document', row)
  const isErased = row.state === 'erased'
  let newest: Omit<TransferDocumentVersion, 'documentId'> | null = null

  return {
    id: row.id,
    takeVersion(at: number, version: Omit<TransferDocumentVersion, 'documentId'>): void {
      if (version.snapshotId <= (newest?.snapshotId ?? 0))
        throw lineError(at, 'document_versions must be in order, each once')
      checkState(at, 'document_version', version)
      if (isErased && version.state !== 'erased')
        throw lineError(at, 'the document is erased, but a document_version has its earlier content')
      newest = version
    },
    /** Checks a node of it, or a version of one. */
    checkNode(at: number, { hasText }: { hasText: boolean }): void {
      if (isErased && hasText) throw lineError(at, 'a node of an erased document is removed and has no text')
    },
    /** All its versions were read. */
    checkVersions(): void {
      if (newest && newest.state !== row.state)
        throw lineError(line, 'the newest version of the document does not match its state')
      if (row.door && row.state === 'live' && !newest && row.text === null)
        throw lineError(line, 'the document is live and has neither text nor history')
    },
  }
}

export type OpenDocument = ReturnType<typeof openDocument>

/** A digest must be that of its text; an erased document has neither, and only it has the time of redaction. */
function checkState(line: number, name: string, { state, digest, text, door }: State): void {
  if (state === 'erased' && (digest !== null || text !== null))
    throw lineError(line, `${name} is erased and still has a text`)
  const { redacted_at } = (door?.attributes ?? {}) as KeyAttributes
  if (state !== 'erased' && redacted_at !== undefined)
    throw lineError(line, `${name} is not erased and has a redacted_at`)
  if (digest !== null && text !== null && contentDigest(text) !== digest)
    throw lineError(line, `${name}.digest is not that of its text`)
}
