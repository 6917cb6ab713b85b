import type { FileFacts } from '../port/file-facts.ts'
import type { WriteTx } from '../port/store.ts'

/** Facts stored at once. */
const CHUNK = 2000

/**
 * Remembers what was seen of files. Nothing is kept of a file whose document was erased: a compile that read it while another process
 * erased it must not bring its digest back.
 */
export async function putFileFacts(
  tx: Pick<WriteTx, 'documents' | 'commit'>,
  root: string,
  facts: readonly FileFacts[],
): Promise<void> {
  for (let at = 0; at < facts.length; at += CHUNK) {
    const chunk = facts.slice(at, at + CHUNK)
    const documents = await tx.documents(
      { at: chunk.map(({ path }) => ({ kind: 'source', root, path })) },
      'row',
    )
    const erased = new Set(
      documents.flatMap(({ state, address }) =>
        state === 'erased' && address.kind === 'source' ? [address.path] : [],
      ),
    )
    await tx.commit({ fileFacts: { root, put: chunk.filter(({ path }) => !erased.has(path)), remove: [] } })
  }
}

export async function deleteFileFacts(
  tx: Pick<WriteTx, 'commit'>,
  root: string,
  remove: readonly string[],
): Promise<void> {
  if (remove.length > 0) await tx.commit({ fileFacts: { root, put: [], remove } })
}
