import { needs } from '../errors.ts'
import type { Store } from '../port/store.ts'
import type { Redact } from '../redact.ts'
import { appendFile } from './append.ts'
import { type Deleted, deleteFiles } from './delete.ts'
import { dumpFiles, type FileDump } from './dump.ts'
import type { FileDeps } from './file-limit.ts'
import { type FileMemory, fileMemoryOf, type MemoryNodeConfig, readMemoryConfig } from './file-memory.ts'
import { type ListedEntry, listFolder } from './list.ts'
import { checkPathIsNoSecret, normalizePath } from './path.ts'
import { readFile } from './read.ts'
import { type FileStat, statFile } from './stat.ts'
import { listTexts, type PathAndText } from './texts.ts'
import { updateFile } from './update.ts'

export interface FilesDeps {
  store: Pick<Store, 'read'>
  redact: Redact
  /** Whose threads: those of other owners cannot be named. Default: nobody's in particular. */
  owner?: string | undefined
  /** What writing needs, as the settings are now. */
  writing(): FileDeps
  /** These documents were read by an agent. Nobody waits for it to be stored. */
  touch(documentIds: readonly number[]): void
}

/** One tree of files, in the name of one author. Every path is normalised; what is wrong with one is EINVAL. */
export interface FileService {
  readonly memory: FileMemory
  /** The exact text; warms it. */
  read(path: string): Promise<string>
  list(path?: string): Promise<ListedEntry[]>
  append(path: string, content: string): Promise<void>
  /** How many occurrences were replaced. */
  update(path: string, oldContent: string, content: string): Promise<number>
  delete(path: string): Promise<Deleted>
  stat(path: string): Promise<FileStat>
  dump(): Promise<FileDump>
  /** Every file by path; undefined where lines of path and text would be longer than `maxChars`. */
  texts(limit: { maxChars: number }): Promise<PathAndText[] | undefined>
}

/** Whose files: of a thread, or (`scope`) those that every thread of the node shares. */
export interface ServiceChoice {
  threadId?: string | undefined
  scope?: 'global'
}

/** A memory node: what tools and connectors are wired to. */
export interface MemoryNode {
  readonly config: MemoryNodeConfig
  /** ENOTMEM where the node needs a thread and none is given. */
  getMemoryService(choice?: ServiceChoice): FileService
}

/** What has files: an open memory does. */
export interface FilesHolder {
  memoryNode(config: MemoryNodeConfig): MemoryNode
}

export function createMemoryNode(deps: FilesDeps, given: MemoryNodeConfig): MemoryNode {
  const config = readMemoryConfig(given, 'the config of a memory node')
  // Without its secret it could be the id of another node too.
  needs(deps.redact(config.id) === config.id, 'the id of a memory node looks like a secret; give another one')
  return {
    config,
    getMemoryService({ threadId, scope }: ServiceChoice = {}) {
      const node = scope === 'global' ? { id: config.id, scope } : config
      return createFileService(deps, fileMemoryOf(node, { threadId, owner: deps.owner, redact: deps.redact }))
    },
  }
}

export function createFileService(deps: FilesDeps, memory: FileMemory): FileService {
  const { store } = deps
  const pathOf = (given: string): string => {
    needs(typeof given === 'string', 'give the path as a text')
    const path = normalizePath(given)
    checkPathIsNoSecret(deps.redact, path)
    return path
  }
  return {
    memory,
    async read(path) {
      const { documentId, text } = await readFile(store, memory, pathOf(path))
      deps.touch([documentId])
      return text
    },
    list: async (path = '/') => listFolder(store, memory, pathOf(path)),
    async append(given, content) {
      const path = pathOf(given)
      needs(typeof content === 'string', 'append needs the path and the content, as texts')
      await appendFile(deps.writing(), { memory, path, content })
    },
    async update(given, oldContent, content) {
      const path = pathOf(given)
      needs(
        typeof oldContent === 'string' && typeof content === 'string',
        'update needs the path, the old content and the new one, as texts',
      )
      return updateFile(deps.writing(), { memory, path, oldContent, content })
    },
    async delete(given) {
      const path = pathOf(given)
      return deleteFiles(deps.writing(), { memory, path })
    },
    stat: async (path) => statFile(store, memory, pathOf(path)),
    dump: () => dumpFiles(store, memory),
    texts: (limit) => listTexts(store, memory, limit),
  }
}
