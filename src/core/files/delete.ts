import type { DoorHead } from '../port/doors.ts'
import { documentAt } from '../write/documents.ts'
import { mutate, type OperationDeps, snapshotOperation } from '../write/operation.ts'
import { type PutContext, removeDocuments } from '../write/put.ts'
import { below, findEntry, isFolder, pathOf } from './document.ts'
import { type FileMemory, fileAddress } from './model.ts'

const PAGE = 500

export interface Deleted {
  files: number
  /** Number of folders, including the path itself. */
  dirs: number
}

/**
 * Removes a file, or a folder with everything below it; the root is emptied. The folders above stay, and history keeps
 * the texts. Removes nothing if the path does not exist.
 */
export async function deleteFiles(
  deps: OperationDeps,
  { memory, path }: { memory: FileMemory; path: string },
): Promise<Deleted> {
  const about = { operation: 'file', message: `delete:${path}` }
  const { value } = await mutate(deps, deleteFile, { ...about, input: { memory, path } })
  return value
}

export const deleteFile = snapshotOperation(
  'delete-files',
  async (context, { memory, path }: { memory: FileMemory; path: string }) => {
    const entry = await findEntry(context.tx, memory, path)
    const counts: Deleted = { files: 0, dirs: 0 }
    if (entry.kind === 'file') await remove(context, [entry.head], counts)
    if (entry.kind === 'dir') await removeFolder(context, memory, path, counts)
    return counts
  },
)

async function removeFolder(
  context: PutContext,
  memory: FileMemory,
  path: string,
  counts: Deleted,
): Promise<void> {
  const { tx } = context
  for (let name = ''; ; ) {
    const query = { ...below(memory, path), ...(name !== '' && { after: { name } }) }
    const page = await tx.documents(query, 'head', { sort: [{ by: 'name' }], limit: PAGE })
    await remove(context, page, counts)
    if (page.length < PAGE) break
    name = pathOf(page.at(-1) as DoorHead)
  }
  const own = await documentAt(tx, fileAddress(memory, path), 'head')
  if (own?.state === 'live') await remove(context, [own], counts)
}

async function remove(context: PutContext, heads: readonly DoorHead[], counts: Deleted): Promise<void> {
  await removeDocuments(context, heads)
  const folders = heads.filter(isFolder).length
  counts.dirs += folders
  counts.files += heads.length - folders
}
