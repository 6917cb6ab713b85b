import { needs } from '../errors.ts'
import { momentAt, parseMoment } from '../past/moment.ts'
import { readAt } from '../past/store-at.ts'
import type { AsOf, MaybePast, MomentInput } from '../port/history.ts'
import type { Store } from '../port/store.ts'
import type { Redact } from '../redact.ts'
import { appendFile } from './append.ts'
import { type Deleted, deleteFiles } from './delete.ts'
import { dumpFiles, type FileDump } from './dump.ts'
import type { FileDeps } from './limits.ts'
import { type ListedEntry, listFolder } from './list.ts'
import { listTexts, type PathAndText } from './list-texts.ts'
import { type FileMemory, fileMemoryOf, type MemoryNodeConfig, readMemoryConfig } from './model.ts'
import { checkPathHasNoSecret, normalizePath } from './path.ts'
import { readFile } from './read.ts'
import { type FileStat, statFile } from './stat.ts'
import { updateFile } from './update.ts'

export interface FilesDeps {
  store: Pick<Store, 'read'>
  redact: Redact
  now: () => number
  /** The owner whose threads are addressed; threads of other owners are unreachable. Default: threads have no owner. */
  owner?: string | undefined
  /** Dependencies of writes, with the current settings. */
  writing(): FileDeps
  /** These documents were read by an agent. Stored in the background. */
  touch(documentIds: readonly number[]): void
}

/** One file tree, signed by one author. Every path is normalised; an invalid one is EINVAL. */
export interface FileService {
  readonly memory: FileMemory
  /** The exact text; warms it, unless it is of the past. */
  read(path: string, at?: AsOf): Promise<string>
  list(path?: string, at?: AsOf): Promise<ListedEntry[]>
  /** The snapshot at a moment. */
  snapshotAt(moment: MomentInput): Promise<NonNullable<MaybePast['readAt']>>
  append(path: string, content: string): Promise<void>
  /** How many occurrences were replaced. */
  update(path: string, oldContent: string, content: string): Promise<number>
  delete(path: string): Promise<Deleted>
  stat(path: string): Promise<FileStat>
  dump(): Promise<FileDump>
  /** Every file by path; undefined if the lines of path and text would be longer than `maxChars`. */
  texts(limit: { maxChars: number }): Promise<PathAndText[] | undefined>
}

/** Which files: those of a thread, or (`scope`) those that all threads of the node share. */
export interface ServiceChoice {
  threadId?: string | undefined
  scope?: 'global'
}

/** A memory node: tools and connectors are wired to it. */
export interface MemoryNode {
  readonly config: MemoryNodeConfig
  /** ENOTMEM if the node needs a thread and none is given. */
  getMemoryService(choice?: ServiceChoice): FileService
}

/** Has files, like an open memory. */
export interface FilesHolder {
  memoryNode(config: MemoryNodeConfig): MemoryNode
}

export function createMemoryNode(deps: FilesDeps, given: MemoryNodeConfig): MemoryNode {
  const config = readMemoryConfig(given, 'the config of a memory node')
  // Redacted, it could be the id of another node.
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
    needs(typeof given === 'string', 'path must be a string')
    const path = normalizePath(given)
    checkPathHasNoSecret(deps.redact, path)
    return path
  }
  return {
    memory,
    async read(path, { asOf } = {}) {
      const at = { asOf, now: deps.now(), part: 'documents' } as const
      const found = await readAt(store, at, (then) => readFile(then, memory, pathOf(path)))
      if (!found.readAt) deps.touch([found.documentId])
      return found.text
    },
    async list(path = '/', { asOf } = {}) {
      const at = { asOf, now: deps.now(), part: 'documents' } as const
      const found = await readAt(store, at, async (then) => ({
        entries: await listFolder(then, memory, pathOf(path)),
      }))
      return found.entries
    },
    async snapshotAt(moment) {
      const { id, createdAt } = await store.read((tx) => momentAt(tx, parseMoment(moment, deps.now())))
      return { id, createdAt }
    },
    async append(given, content) {
      const path = pathOf(given)
      needs(typeof content === 'string', 'append needs path and content as strings')
      await appendFile(deps.writing(), { memory, path, content })
    },
    async update(given, oldContent, content) {
      const path = pathOf(given)
      needs(
        typeof oldContent === 'string' && typeof content === 'string',
        'update needs path, oldContent and content as strings',
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
