import type { Store } from '../store.ts'
import type { FileMemory } from './file-memory.ts'
import { ROOT_PATH } from './path.ts'

export interface ListedEntry {
  name: string
  kind: 'file' | 'dir'
}

/** What is right below a path, by name. Nothing where nothing is there, and below a file. */
export async function listFolder(
  store: Pick<Store, 'read'>,
  memory: FileMemory,
  path: string,
): Promise<ListedEntry[]> {
  const folder = path === ROOT_PATH ? '' : path
  const entries = await store.read((tx) => tx.listFileEntries(memory, folder))
  return entries.map(({ name, isFolder }) => ({ name, kind: isFolder ? 'dir' : 'file' }))
}
