import { needs } from '../../core/errors.ts'
import { type FoundDocument, findDocuments } from '../../core/observe/find-documents.ts'
import type { Store } from '../../core/port/store.ts'
import type { Redact } from '../../core/redact.ts'
import { listRoots } from '../../core/write/documents.ts'
import { addressesNamed, documentName } from './document-names.ts'
import type { Places } from './places.ts'

/** A document that a person named. */
export interface NamedDocument extends FoundDocument {
  /** By which it can be named again; seldom by which two can. */
  name: string
}

/** The documents that a person may mean by a name, including removed or erased ones. */
export async function findNamedDocuments(
  { store, places, redact }: { store: Pick<Store, 'read'>; places: Places; redact: Redact },
  name: string,
  { cwd = '.' }: { cwd?: string } = {},
): Promise<NamedDocument[]> {
  needs(typeof name === 'string' && name !== '', 'findDocuments needs the name of a document as a text')
  const roots = await store.read(listRoots)
  const addresses = addressesNamed({ places, redact, roots, cwd }, name)
  const found = await findDocuments(store, { addresses, nodeId: name })
  return found.map((document) => ({ ...document, name: documentName(places, document.address) }))
}
