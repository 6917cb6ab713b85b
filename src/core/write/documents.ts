import { byCodePoint } from '../../util/text/code-points.ts'
import type { Address } from '../model.ts'
import type {
  DocumentFields,
  DocumentPage,
  DocumentQuery,
  DocumentReads,
  DocumentShapes,
  DocumentTotal,
} from '../port/documents.ts'
import type { DocumentRow } from '../port/rows.ts'

/** The document at an address, in any state. */
export async function documentAt<F extends DocumentFields>(
  tx: Pick<DocumentReads, 'documents'>,
  address: Address,
  fields: F,
): Promise<DocumentShapes[F] | undefined> {
  return (await tx.documents({ at: [address] }, fields))[0]
}

/** The number and size of documents. */
export async function totalOf(
  tx: Pick<DocumentReads, 'totals'>,
  select: Parameters<DocumentReads['totals']>[0],
  options: { bytes?: true } = {},
): Promise<Pick<DocumentTotal, 'count' | 'bytes'>> {
  return (await tx.totals(select, options))[0] ?? { count: 0, bytes: 0 }
}

/** A page, and the number of documents on all pages. */
export async function pageAndTotal<F extends DocumentFields>(
  tx: Pick<DocumentReads, 'documents' | 'totals'>,
  query: DocumentQuery,
  fields: F,
  page: DocumentPage,
): Promise<{ documents: DocumentShapes[F][]; total: number }> {
  const documents = await tx.documents(query, fields, { ...page, total: true })
  // A page past the end has no document with the total.
  const total = documents[0]?.total ?? (page.offset ? (await totalOf(tx, query)).count : 0)
  return { documents, total }
}

/** By id, as trees show them. */
export async function documentNames(
  tx: Pick<DocumentReads, 'documents'>,
  ids: Iterable<number>,
): Promise<Map<number, string>> {
  const rows = await tx.documents({ ids: [...new Set(ids)] }, 'name')
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/**
 * Every document of a compile root, live or not, by path; with `scope` only that one and those below it, at their cost.
 */
export function rootDocuments(
  tx: Pick<DocumentReads, 'documents'>,
  root: string,
  scope = '',
): Promise<DocumentRow[]> {
  return tx.documents({ kind: 'source', states: ['live', 'removed', 'erased'], root, scope }, 'row')
}

/** The stored names of compile roots that have files. */
export async function listRoots(tx: Pick<DocumentReads, 'totals'>): Promise<string[]> {
  const roots = await tx.totals({ kind: 'source', states: ['live', 'erased'] }, { by: 'root' })
  return roots.map(({ value }) => value ?? '').sort(byCodePoint)
}
