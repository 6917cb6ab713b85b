import { needs } from '../../core/errors.ts'
import type { Address } from '../../core/model.ts'
import { type FoundDocument, findDocuments } from '../../core/observe/find-documents.ts'
import type { Store } from '../../core/port/store.ts'
import type { Redact } from '../../core/redact.ts'
import { listRoots } from '../../core/write/documents.ts'
import { addressesNamed, documentName, placesNamed } from './document-names.ts'
import type { Places } from './places.ts'

/** A document that a person named. */
export interface NamedDocument extends FoundDocument {
  /** By which it can be named again; seldom by which two can. */
  name: string
}

export interface NamingParts {
  store: Pick<Store, 'read'>
  places: Places
  redact: Redact
}

/** The documents that a person may mean by a name, including removed or erased ones. */
export async function findNamedDocuments(
  { store, places, redact }: NamingParts,
  name: string,
  { cwd = '.' }: { cwd?: string } = {},
): Promise<NamedDocument[]> {
  needs(typeof name === 'string' && name !== '', 'findDocuments needs the name of a document as a text')
  const roots = await store.read(listRoots)
  const addresses = addressesNamed({ places, redact, roots, cwd }, name)
  const found = await findDocuments(store, { addresses, nodeId: name })
  return found.map((document) => ({ ...document, name: documentName(places, document.address) }))
}

/** Where a path, of a document or a folder, looks in history. Without `cwd` only as the tree shows it. */
export async function findNamedPlaces(
  { store, ...parts }: NamingParts,
  path: string,
  { cwd }: { cwd?: string | undefined } = {},
): Promise<Address[]> {
  needs(typeof path === 'string' && path !== '', 'path must be the name of a document or folder as a text')
  return placesNamed({ ...parts, roots: await store.read(listRoots), cwd }, path)
}
