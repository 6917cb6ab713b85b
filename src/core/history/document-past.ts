import type { Attributes } from '../port/doors.ts'
import type { PastDocument } from '../port/history.ts'
import type { DocumentVersionWrite } from '../port/write-set.ts'

/** A version of a document. */
export type PastVersion = Pick<DocumentVersionWrite, 'textDigest' | 'attributes' | 'lead' | 'trail'>

/**
 * The text of a document from its versions, oldest first: the newest whole text and every piece after it. Null: none.
 */
export function pastText(
  versions: readonly PastVersion[],
  textOf: (digest: string | null) => string | null,
): string | null {
  const pieces = versions.slice(
    Math.max(
      0,
      versions.findLastIndex(({ lead }) => lead === null),
    ),
  )
  if (!pieces[0] || pieces[0].textDigest === null) return null
  return pieces.map(({ lead, textDigest, trail }) => [lead, textOf(textDigest), trail].join('')).join('')
}

/** A piece without attributes has those of the previous version. */
export function pastAttributes(versions: readonly PastVersion[]): Attributes {
  return versions.findLast(({ attributes }) => attributes !== null)?.attributes ?? {}
}

type Past = Omit<PastDocument, 'documentId' | 'textBytes' | 'updatedAt'>
type PastState = PastVersion & Pick<DocumentVersionWrite, 'state' | 'digest'>

/** The state of a document after its versions, oldest first. A document without versions is removed. */
export function pastDocument(versions: readonly PastState[]): Past {
  const then = versions.at(-1)
  if (!then) return { state: 'removed', digest: null, textDigest: null, attributes: null, isPiece: false }
  const { state, digest, textDigest, lead } = then
  const last = versions.findLast(({ attributes }) => attributes !== null)
  return { state, digest, textDigest, attributes: last?.attributes ?? null, isPiece: lead !== null }
}
