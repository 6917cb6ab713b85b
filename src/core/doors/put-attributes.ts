import { contentDigest } from '../../util/hash.ts'
import type { Attributes, DoorDocument } from '../port/doors.ts'
import type { PutContext } from '../put.ts'
import { putDocuments } from '../write/documents.ts'

/** Gives a document other attributes; its text, and so its nodes, stay. Without secrets: see `redactAttributes`. */
export async function putAttributes(
  context: PutContext,
  { address, text, digest }: DoorDocument,
  attributes: Attributes,
): Promise<void> {
  const put = { address, text, digest: digest ?? contentDigest(text ?? ''), attributes }
  await putDocuments(context, [put], await context.snapshot.row())
}
