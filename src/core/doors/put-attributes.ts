import { contentDigest } from '../../util/text/hash.ts'
import type { Attributes, DoorDocument } from '../port/doors.ts'
import type { StoredDocument } from '../port/stored.ts'
import { type DocumentChange, storeDocuments } from '../rows/documents.ts'
import type { PutContext } from '../write/put.ts'

/**
 * Replaces a document's attributes; its text and nodes stay. They must be without secrets: see `redactAttributes`.
 * `found`: the stored document, if it was read.
 */
export async function putAttributes(
  context: PutContext,
  { address, text, digest }: Pick<DoorDocument, 'address' | 'text' | 'digest'>,
  attributes: Attributes,
  found?: readonly StoredDocument[],
): Promise<StoredDocument> {
  const put = { address, text, digest: digest ?? contentDigest(text ?? ''), attributes }
  const [change] = await storeDocuments(context, [put], await context.snapshot.row(), found)
  return (change as DocumentChange).after
}
