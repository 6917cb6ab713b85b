import { type Counts, createApplier } from './apply.ts'
import type { Hash64 } from './digest.ts'
import { flatten } from './flatten.ts'
import type { Block } from './model.ts'
import { ParseError } from './parse-error.ts'
import type { Conflict } from './plan.ts'
import { type DocumentInput, type PutContext, putDocument, putNewDocuments, removeDocument } from './put.ts'
import { lazySnapshot } from './snapshot.ts'
import type { DocumentRow, SnapshotRow, Store } from './store.ts'

/** A folder as compile sees it. Paths are relative to the compile root, with `/`. */
export interface SourceFolder {
  /** Files to compile, in order. */
  list(): Promise<string[]>
  /** What `list` could not look at: reported, and never taken for deleted. */
  problems(): { path: string; reason: string }[]
  /** True for a path that `list` would give if the file were there: an absent one was deleted. */
  covers(path: string): boolean
  /** Reads and, if its digest is not `knownDigest`, parses one file. Throws `ParseError`. */
  load(path: string, knownDigest: string | null): Promise<LoadedFile>
}

export type LoadedFile =
  | { kind: 'unchanged' }
  | { kind: 'parsed'; digest: string; sizeBytes: number; blocks: Block[] }

/** A file that cannot be compiled: it is reported and skipped, its last good nodes stay. */
export interface SkippedFile {
  path: string
  line: number | null
  reason: string
}

/** Holds parsed files between parsing and writing, without holding them all in memory. */
export interface Spool<T> {
  push(item: T, sizeBytes: number): void
  drain(): Iterable<T>
  close(): void
}

export interface CompileDeps {
  store: Store
  hash: Hash64
  now: () => number
  author: string
  createSpool: <T>() => Spool<T>
}

export interface CompileInput {
  /** Stored name of the compile root. */
  root: string
  folder: SourceFolder
  message: string
  onProgress?: (progress: { phase: 'read' | 'write'; done: number; total: number }) => void
}

export interface CompileResult extends Counts {
  total: number
  files: { seen: number; changed: number; removed: number }
  skipped: SkippedFile[]
  conflicts: (Conflict & { path: string })[]
  /** Null when nothing changed. */
  snapshot: SnapshotRow | null
}

interface ParsedFile {
  path: string
  digest: string
  /** Of the document when its file was read: still the same when nobody else put it meanwhile. */
  revision: number
  blocks: Block[]
}

/** New documents planned together, so that the store is asked once for many. */
const GROUP_BLOCKS = 1024
const MAX_ROUNDS = 5

/** Brings the memory to what a folder says: one snapshot, or none when nothing changed. */
export async function compile(deps: CompileDeps, input: CompileInput): Promise<CompileResult> {
  const result = emptyResult()
  let paths: string[] | null = null
  // Another process may compile the same file between our reading and our writing: such files are read again.
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const spool = deps.createSpool<ParsedFile>()
    try {
      const scan = await readFiles(deps, input, spool, result, paths)
      if (scan.parsed === 0 && scan.missing.length === 0) return result
      paths = await publish(deps, input, spool, scan, result)
    } finally {
      spool.close()
    }
    if (paths.length === 0) return result
  }
  return result
}

interface Scan {
  parsed: number
  missing: DocumentRow[]
}

async function readFiles(
  deps: CompileDeps,
  input: CompileInput,
  spool: Spool<ParsedFile>,
  result: CompileResult,
  only: string[] | null,
): Promise<Scan> {
  const { folder, root, onProgress } = input
  const known = await knownDocuments(deps.store, root)
  const paths = only ?? (await folder.list())
  let parsed = 0
  for (const [at, path] of paths.entries()) {
    onProgress?.({ phase: 'read', done: at, total: paths.length })
    if (await readFile(folder, path, known.get(path), spool, result)) parsed++
  }
  onProgress?.({ phase: 'read', done: paths.length, total: paths.length })
  if (only) return { parsed, missing: [] }
  result.files.seen = paths.length
  result.skipped.push(...folder.problems().map((problem) => ({ ...problem, line: null })))
  const present = new Set(paths)
  const missing = [...known.entries()].filter(
    ([path, row]) => row.state !== 'removed' && !present.has(path) && folder.covers(path),
  )
  return { parsed, missing: missing.map(([, row]) => row) }
}

async function knownDocuments(store: Store, root: string): Promise<Map<string, DocumentRow>> {
  const rows = await store.read((tx) => tx.listRootDocuments(root))
  return new Map(
    rows.flatMap((row) => (row.address.kind === 'source' ? [[row.address.path, row] as const] : [])),
  )
}

async function readFile(
  folder: SourceFolder,
  path: string,
  row: DocumentRow | undefined,
  spool: Spool<ParsedFile>,
  result: CompileResult,
): Promise<boolean> {
  if (row?.state === 'erased') {
    result.skipped.push({ path, line: null, reason: 'was erased from memory; delete or rename the file' })
    return false
  }
  try {
    const loaded = await folder.load(path, row?.digest ?? null)
    if (loaded.kind === 'unchanged') return false
    const { digest, blocks, sizeBytes } = loaded
    spool.push({ path, digest, blocks, revision: row?.revision ?? 0 }, sizeBytes)
    return true
  } catch (error) {
    if (!(error instanceof ParseError)) throw error
    result.skipped.push({ path, line: error.line, reason: error.reason })
    return false
  }
}

/** Writes everything in one transaction. Returns the paths whose base changed since they were read. */
function publish(
  deps: CompileDeps,
  input: CompileInput,
  spool: Spool<ParsedFile>,
  scan: Scan,
  result: CompileResult,
): Promise<string[]> {
  return deps.store.write(async (tx) => {
    const { root, message, onProgress } = input
    const about = { author: deps.author, operation: 'compile', message, root, createdAt: deps.now() }
    const snapshot = lazySnapshot(tx, about)
    const applier = createApplier(tx, snapshot)
    const context: PutContext = { tx, hash: deps.hash, snapshot, applier, kinds: new Map() }
    const conflicts: CompileResult['conflicts'] = []
    const stale: string[] = []
    const current = new Map((await tx.listRootDocuments(root)).map((row) => [sourcePath(row), row]))
    let changed = 0
    let group = newGroup()
    for (const file of spool.drain()) {
      onProgress?.({ phase: 'write', done: changed, total: scan.parsed })
      const row = current.get(file.path)
      if ((row?.revision ?? 0) !== file.revision) stale.push(file.path)
      else if (row)
        conflicts.push(...withPath(file.path, await putDocument(context, row, toInput(root, file))))
      else {
        group.inputs.push(toInput(root, file))
        group.blocks += group.inputs.at(-1)?.flat.length ?? 0
        if (group.blocks >= GROUP_BLOCKS) {
          await putNewDocuments(context, group.inputs)
          group = newGroup()
        }
      }
      changed++
    }
    await putNewDocuments(context, group.inputs)
    for (const row of scan.missing) {
      const path = sourcePath(row)
      const now = current.get(path)
      if (now && now.revision === row.revision)
        conflicts.push(...withPath(path, await removeDocument(context, now)))
    }
    const counts = await applier.finish()
    report(result, counts, await snapshot.finish(), conflicts)
    result.files.changed += changed - stale.length
    result.files.removed += scan.missing.length
    onProgress?.({ phase: 'write', done: changed, total: scan.parsed })
    return stale
  })
}

function newGroup(): { inputs: DocumentInput[]; blocks: number } {
  return { inputs: [], blocks: 0 }
}

function toInput(root: string, { path, digest, blocks }: ParsedFile): DocumentInput {
  return { address: { kind: 'source', root, path }, digest, text: null, flat: flatten(blocks) }
}

function sourcePath(row: DocumentRow): string {
  return row.address.kind === 'source' ? row.address.path : ''
}

function withPath(path: string, conflicts: Conflict[]): (Conflict & { path: string })[] {
  return conflicts.map((conflict) => ({ ...conflict, path }))
}

function report(
  result: CompileResult,
  counts: Counts,
  snapshot: SnapshotRow | null,
  conflicts: CompileResult['conflicts'],
): void {
  result.added += counts.added
  result.modified += counts.modified
  result.removed += counts.removed
  result.total = result.added + result.modified + result.removed
  result.snapshot = snapshot ?? result.snapshot
  result.conflicts.push(...conflicts)
}

function emptyResult(): CompileResult {
  return {
    added: 0,
    modified: 0,
    removed: 0,
    total: 0,
    files: { seen: 0, changed: 0, removed: 0 },
    skipped: [],
    conflicts: [],
    snapshot: null,
  }
}
