import { needs } from '../../core/errors.ts'
import type { Address } from '../../core/model.ts'
import { type FoundDocument, findDocuments } from '../../core/observe/find-documents.ts'
import { readAt } from '../../core/past/store-at.ts'
import type { AsOf } from '../../core/port/history.ts'
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

/** `asOf`: what had the name then. */
export interface NameOptions extends AsOf {
  /** Where a path begins that is not absolute. */
  cwd?: string
}

/** The documents that a person may mean by a name, including removed or erased ones. */
export async function findNamedDocuments(
  { now, ...parts }: NamingParts & { now: () => number },
  name: string,
  { cwd = '.', asOf }: NameOptions = {},
): Promise<NamedDocument[]> {
  needs(typeof name === 'string' && name !== '', 'findDocuments needs the name of a document as a text')
  const { places } = parts
  const roots = await parts.store.read(listRoots)
  const addresses = addressesNamed({ ...parts, roots, cwd }, name)
  const { found } = await readAt(parts.store, { asOf, now: now() }, async (store) => {
    return { found: await findDocuments(store, { addresses, nodeId: name }) }
  })
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
