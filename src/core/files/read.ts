import type { Store } from '../port/store.ts'
import { documentAt } from '../write/documents.ts'
import { findEntry, isFolder } from './document.ts'
import { fileNotFound, isFolderError } from './errors.ts'
import { type FileMemory, fileAddress } from './model.ts'
import { ROOT_PATH } from './path.ts'

export interface FileText {
  documentId: number
  /** Exactly as it was stored. */
  text: string
}

/** ENOENT, or EISDIR for a folder. */
export async function readFile(
  store: Pick<Store, 'read'>,
  memory: FileMemory,
  path: string,
): Promise<FileText> {
  if (path === ROOT_PATH) throw isFolderError()
  const document = await store.read((tx) => documentAt(tx, fileAddress(memory, path), 'text'))
  if (document?.state === 'live' && !isFolder(document))
    return { documentId: document.id, text: document.text ?? '' }
  const { kind } = await store.read((tx) => findEntry(tx, memory, path))
  throw kind === 'dir' ? isFolderError() : fileNotFound()
}
