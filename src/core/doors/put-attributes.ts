import { contentDigest } from '../../util/hash.ts'
import type { Attributes, DoorDocument } from '../port/doors.ts'
import type { PutContext } from '../put.ts'
import type { DoorDeps } from './put-text.ts'

/** Gives a document other attributes; its text, and so its nodes, stay. Without secrets: see `redactAttributes`. */
export async function putAttributes(
  deps: Pick<DoorDeps, 'now'>,
  { tx, snapshot }: PutContext,
  { address, text, digest }: DoorDocument,
  attributes: Attributes,
): Promise<void> {
  const put = { address, text, digest: digest ?? contentDigest(text ?? ''), attributes, at: deps.now() }
  await tx.putDocuments([put], await snapshot.id())
}
