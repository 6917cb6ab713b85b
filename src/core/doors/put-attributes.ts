import { contentDigest } from '../../util/text/hash.ts'
import type { Attributes, DoorDocument } from '../port/doors.ts'
import type { StoredDocument } from '../port/stored.ts'
import { type DocumentChange, storeDocuments } from '../rows/documents.ts'
import type { PutContext } from '../write/put.ts'

/** Gives a document other attributes; its text, and so its nodes, stay. Without secrets: see `redactAttributes`. `found`: the document, if it was read as it is stored. */
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
