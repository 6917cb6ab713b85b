import { contentDigest } from '../../util/hash.ts'
import type { Attributes, DoorDocument } from '../port/doors.ts'
import type { PutContext } from '../put.ts'

/** Gives a document other attributes; its text, and so its nodes, stay. Without secrets: see `redactAttributes`. */
export async function putAttributes(
  { tx, at, snapshot }: PutContext,
  { address, text, digest }: DoorDocument,
  attributes: Attributes,
): Promise<void> {
  const put = { address, text, digest: digest ?? contentDigest(text ?? ''), attributes, at }
  await tx.putDocuments([put], await snapshot.id())
}
