import { shownName } from '../address.ts'
import type { DocumentFields, DocumentShapes } from '../port/documents.ts'
import type { DocumentRow } from '../port/rows.ts'
import type { StoredDocument } from '../port/stored.ts'

/** What a shape needs besides the stored document. */
export interface DocumentParts {
  owner: string
  /** For `text` and `whole`. */
  text?: string | null | undefined
  /** For `size`. */
  nodes?: number | undefined
  tokens?: number | undefined
}

type Shapes = {
  [F in DocumentFields]: (document: StoredDocument, parts: DocumentParts) => DocumentShapes[F]
}

/** The shapes of a document as functions of the stored data. */
export const documentShapes: Shapes = {
  row: rowOf,
  head: headOf,
  text({ id, address, state, revision, updatedAt, attributes }, { text = null }) {
    return { id, address, state, revision, updatedAt, attributes: attributes ?? {}, text }
  },
  whole: (document, parts) => ({ ...headOf(document, parts), text: parts.text ?? null }),
  stored: (document) => document,
  name: ({ id, address }) => ({ id, name: shownName(address) }),
  size({ id, address }, { nodes = 0, tokens = 0 }) {
    return { id, address, name: shownName(address), nodes, tokens }
  },
}

function rowOf(document: StoredDocument, { owner }: DocumentParts): DocumentRow {
  const { id, address, state, digest, revision } = document
  return { id, address, owner, state, digest, revision }
}

function headOf(document: StoredDocument, parts: DocumentParts): DocumentShapes['head'] {
  const { attributes, createdAt, updatedAt, accesses, accessedAt } = document
  const row = rowOf(document, parts)
  return { ...row, attributes: attributes ?? {}, createdAt, updatedAt, accesses, accessedAt }
}
