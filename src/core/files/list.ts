import type { Store } from '../port/store.ts'
import { FileError } from './errors.ts'
import type { FileMemory } from './model.ts'
import { ROOT_PATH } from './path.ts'

export interface ListedEntry {
  name: string
  kind: 'file' | 'dir'
}

/** Maximum number of entries in one answer. */
const MAX_ENTRIES = 100_000
const TOO_MANY = `the folder has more than ${MAX_ENTRIES} entries, the maximum for one list; list a folder below it`

/**
 * The entries directly below a path, by name. Empty if nothing is there, and for a file. EINVAL if there are too many.
 */
export async function listFolder(
  store: Pick<Store, 'read'>,
  memory: FileMemory,
  path: string,
): Promise<ListedEntry[]> {
  const folder = path === ROOT_PATH ? '' : path
  const entries = await store.read((tx) => tx.fileEntries(memory, folder, MAX_ENTRIES + 1))
  if (entries.length > MAX_ENTRIES) throw new FileError('EINVAL', TOO_MANY)
  return entries.map(({ name, isFolder }) => ({ name, kind: isFolder ? 'dir' : 'file' }))
}
