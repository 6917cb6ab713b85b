import type { Store } from '../port/store.ts'
import { FileError } from './errors.ts'
import type { FileMemory } from './model.ts'
import { ROOT_PATH } from './path.ts'

export interface ListedEntry {
  name: string
  kind: 'file' | 'dir'
}

/** Entries of one answer. */
const MAX_ENTRIES = 100_000
const TOO_MANY = `the folder has more than ${MAX_ENTRIES} entries, which is the most that one list has; list a folder below it`

/** What is right below a path, by name. Nothing where nothing is there, and below a file. EINVAL for too many. */
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
