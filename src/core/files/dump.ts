import { needs } from '../errors.ts'
import type { Store } from '../port/store.ts'
import { totalOf } from '../write/documents.ts'
import { below, isFolder, pathOf } from './entry.ts'
import type { FileMemory, Scope } from './file-memory.ts'
import { threadIdOf } from './owned-thread.ts'
import { ROOT_PATH } from './path.ts'

/** Everything in one tree of files, by path. */
export interface FileDump {
  nodeId: string
  scope: Scope
  /** Only where the scope is perThread. */
  threadId?: string
  data: Record<string, string>
  dirs: Record<string, true>
}

/** Of all texts together. */
const MAX_BYTES = 256 * 1024 * 1024

/** All texts at once: for a memory of any size see `listFolder` and `readFile`. */
export async function dumpFiles(store: Pick<Store, 'read'>, memory: FileMemory): Promise<FileDump> {
  const { node, scope, thread } = memory
  const page = { sort: [{ by: 'name' as const }], limit: Number.MAX_SAFE_INTEGER }
  const documents = await store.read(async (tx) => {
    const { bytes } = await totalOf(tx, below(memory, ROOT_PATH), { bytes: true })
    needs(
      bytes <= MAX_BYTES,
      `the files have ${bytes} bytes, and a dump may have ${MAX_BYTES}; read them one by one`,
    )
    return tx.documents(below(memory, ROOT_PATH), 'whole', page)
  })
  const files = documents.filter((document) => !isFolder(document))
  const folders = documents.filter(isFolder)
  return {
    nodeId: node,
    scope,
    ...(scope === 'perThread' && { threadId: threadIdOf(thread) }),
    data: Object.fromEntries(files.map((document) => [pathOf(document), document.text ?? ''])),
    dirs: Object.fromEntries(folders.map((document) => [pathOf(document), true as const])),
  }
}
