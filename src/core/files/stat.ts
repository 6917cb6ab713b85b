import type { Store } from '../port/store.ts'
import { totalOf } from '../write/documents.ts'
import { findEntry } from './document.ts'
import type { FileMemory } from './model.ts'

export interface FileStat {
  kind: 'file' | 'dir' | 'none'
  /** Size of the text in UTF-8 bytes; 0 if it is not a file. */
  size: number
}

/** The root always exists. */
export async function statFile(
  store: Pick<Store, 'read'>,
  memory: FileMemory,
  path: string,
): Promise<FileStat> {
  return store.read(async (tx) => {
    const entry = await findEntry(tx, memory, path)
    if (entry.kind !== 'file') return { kind: entry.kind, size: 0 }
    const { bytes: size } = await totalOf(tx, { ids: [entry.head.id] }, { bytes: true })
    return { kind: entry.kind, size }
  })
}
