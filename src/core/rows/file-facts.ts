import type { FileFacts } from '../port/file-facts.ts'
import type { WriteTx } from '../port/store.ts'

/** Facts stored in one set. */
const CHUNK = 2000

/** Stores what was seen of files. */
export async function putFileFacts(
  tx: Pick<WriteTx, 'commit'>,
  root: string,
  facts: readonly FileFacts[],
): Promise<void> {
  for (let at = 0; at < facts.length; at += CHUNK)
    await tx.commit({ fileFacts: { root, put: facts.slice(at, at + CHUNK), remove: [] } })
}

export async function deleteFileFacts(
  tx: Pick<WriteTx, 'commit'>,
  root: string,
  remove: readonly string[],
): Promise<void> {
  if (remove.length > 0) await tx.commit({ fileFacts: { root, put: [], remove } })
}
