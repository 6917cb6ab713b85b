import type { Store } from '../port/store.ts'
import { findEntry } from './entry.ts'
import type { FileMemory } from './file-memory.ts'

export interface FileStat {
  kind: 'file' | 'dir' | 'none'
  /** Of the text, in bytes of UTF-8; 0 for what is no file. */
  size: number
}

/** The root is always there. */
export async function statFile(
  store: Pick<Store, 'read'>,
  memory: FileMemory,
  path: string,
): Promise<FileStat> {
  return store.read(async (tx) => {
    const entry = await findEntry(tx, memory, path)
    const size = entry.kind === 'file' ? await tx.textBytes([entry.head.id]) : 0
    return { kind: entry.kind, size }
  })
}
