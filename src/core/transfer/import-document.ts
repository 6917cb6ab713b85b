import { contentDigest } from '../../util/text/hash.ts'
import type { KeyAttributes } from '../keys/model.ts'
import type { Attributes } from '../port/doors.ts'
import { lineError } from './import-lines.ts'
import type { TransferDocument, TransferDocumentVersion } from './transfer-rows.ts'

type State = Pick<TransferDocument, 'state' | 'digest' | 'text'> & {
  door: { attributes: Attributes | null } | null
}

/**
 * What the lines of one document say of each other: its states, from the oldest on, lead to the one that it is in, and what was
 * erased has left nothing. A file that somebody made up must not turn a tombstone into something that lives.
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
        throw lineError(at, 'the document is erased, and a document_version tells what it was before')
      newest = version
    },
    /** A node of it, or a version of one. */
    checkNode(at: number, { hasText }: { hasText: boolean }): void {
      if (isErased && hasText) throw lineError(at, 'a node of an erased document is removed and has no text')
    },
    /** Its versions are all there. */
    checkVersions(): void {
      if (newest && newest.state !== row.state)
        throw lineError(
          line,
          'the newest version of a document says what state it is in, and this one says otherwise',
        )
      if (row.door && row.state === 'live' && !newest && row.text === null)
        throw lineError(line, 'the document is live and has neither text nor history')
    },
  }
}

export type OpenDocument = ReturnType<typeof openDocument>

/** A digest beside its text is that of the text; an erased document has neither, and only it tells when it was redacted. */
function checkState(line: number, name: string, { state, digest, text, door }: State): void {
  if (state === 'erased' && (digest !== null || text !== null))
    throw lineError(line, `${name} is erased and still has a text`)
  const { redacted_at } = (door?.attributes ?? {}) as KeyAttributes
  if (state !== 'erased' && redacted_at !== undefined)
    throw lineError(line, `${name} is not erased and has a redacted_at`)
  if (digest !== null && text !== null && contentDigest(text) !== digest)
    throw lineError(line, `${name}.digest is not that of its text`)
}
