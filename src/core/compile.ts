import { type Counts, createApplier } from './apply.ts'
import type { Hash64 } from './digest.ts'
import { MemoryError } from './errors.ts'
import { flatten } from './flatten.ts'
import type { Address, Block } from './model.ts'
import { ParseError } from './parse-error.ts'
import type { Conflict } from './plan.ts'
import { type DocumentInput, type PutContext, putDocument, putNewDocuments, removeDocument } from './put.ts'
import { countRedactions, type Redact, type Redactions } from './redact.ts'
import { type Arrived, addArrived, takeRenamed } from './renames.ts'
import { createSeeding, type SeedOf } from './seeds.ts'
import { lazySnapshot } from './snapshot.ts'
import type { DocumentRow, ReadTx, SnapshotRow, Store, WriteTx } from './store.ts'

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
  redact: Redact
  author: string
  createSpool: <T>() => Spool<T>
}

export interface CompileInput {
  /** Stored name of the compile root. */
  root: string
  /** Roots inside it that were compiled by themselves before: their documents become this root's. */
  absorbs?: readonly { root: string; prefix: string }[]
  /** The memory's own folder, where the database is in it: a copy elsewhere then still knows where its files are. */
  home?: string | null
  folder: SourceFolder
  /** The heat of nodes that are new or changed. */
  seedOf?: SeedOf | undefined
  message: string
  onProgress?: (progress: { phase: 'read' | 'write'; done: number; total: number }) => void
}

export interface CompileResult extends Counts {
  total: number
  files: { seen: number; changed: number; removed: number }
  skipped: SkippedFile[]
  conflicts: (Conflict & { path: string })[]
  /** Secrets that the files which were put have markers for, by kind. */
  redactions: Redactions
  /** Null when nothing changed. */
  snapshot: SnapshotRow | null
}

interface ParsedFile {
  path: string
  digest: string
  blocks: Block[]
}

/** New documents planned together, so that the store is asked once for many. */
const GROUP_BLOCKS = 1024
const MAX_ROUNDS = 5

/** Brings the memory to what a folder says: one snapshot, or none when nothing changed. */
export async function compile(deps: CompileDeps, input: CompileInput): Promise<CompileResult> {
  // Another process may compile the same files between our reading and our writing: then we read again.
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const result = emptyResult()
    const spool = deps.createSpool<ParsedFile>()
    try {
      const scan = await readFiles(deps, input, spool, result)
      if (scan.parsed.size + scan.missing.size + scan.moves.size === 0) return result
      if (await publish(deps, input, spool, scan, result)) return result
    } finally {
      spool.close()
    }
  }
  throw new MemoryError('CONFLICT', 'another process keeps compiling these files; try again when it is done')
}

/** By path the revision of the document when its file was read, or found missing. 0: there was none. */
interface Scan {
  parsed: Map<string, number>
  missing: Map<string, number>
  /** By new path the document that goes on there: of a root inside this one, or of a file that was renamed. */
  moves: Map<string, DocumentRow>
}

async function readFiles(
  deps: CompileDeps,
  input: CompileInput,
  spool: Spool<ParsedFile>,
  result: CompileResult,
): Promise<Scan> {
  const { folder, onProgress } = input
  const known = await deps.store.read((tx) => knownDocuments(tx, input))
  const paths = await folder.list()
  const parsed: Scan['parsed'] = new Map()
  const arrived: Arrived = new Map()
  for (const [at, path] of paths.entries()) {
    onProgress?.({ phase: 'read', done: at, total: paths.length })
    const row = known.get(path)
    const digest = await readFile(folder, path, row, spool, result)
    if (digest === null) continue
    parsed.set(path, row?.revision ?? 0)
    if (!row || row.state === 'removed') addArrived(arrived, digest, path)
  }
  onProgress?.({ phase: 'read', done: paths.length, total: paths.length })
  result.files.seen = paths.length
  for (const { path, reason } of folder.problems()) result.skipped.push({ path, line: null, reason })
  return { parsed, ...absentFiles(input, known, new Set(paths), arrived) }
}

/** What became of the documents whose file is not where it was. */
function absentFiles(
  { folder, root }: CompileInput,
  known: Map<string, DocumentRow>,
  present: ReadonlySet<string>,
  arrived: Arrived,
): Pick<Scan, 'missing' | 'moves'> {
  const missing: Scan['missing'] = new Map()
  const moves: Scan['moves'] = new Map()
  for (const [path, row] of known) {
    if (row.address.kind === 'source' && row.address.root !== root) moves.set(path, row)
    if (row.state === 'removed' || present.has(path) || !folder.covers(path)) continue
    // The same text under another name is the same document: its nodes keep their identity.
    const renamed = takeRenamed(arrived, path, row)
    if (renamed === undefined) missing.set(path, row.revision)
    else {
      moves.delete(path)
      moves.set(renamed, row)
    }
  }
  return { missing, moves }
}

/** By path below this root: its documents, and those of the roots that it takes over. */
async function knownDocuments(
  tx: Pick<ReadTx, 'listRootDocuments'>,
  { root, absorbs = [] }: CompileInput,
): Promise<Map<string, DocumentRow>> {
  const known = new Map((await tx.listRootDocuments(root)).map((row) => [sourcePath(row), row]))
  for (const inner of absorbs) {
    for (const row of await tx.listRootDocuments(inner.root)) {
      const path = `${inner.prefix}/${sourcePath(row)}`
      const own = known.get(path)
      if (!own || (own.state === 'removed' && row.state !== 'removed')) known.set(path, row)
    }
  }
  return known
}

/** The digest of a file that has to be put, or null. */
async function readFile(
  folder: SourceFolder,
  path: string,
  row: DocumentRow | undefined,
  spool: Spool<ParsedFile>,
  result: CompileResult,
): Promise<string | null> {
  if (row?.state === 'erased') {
    result.skipped.push({ path, line: null, reason: 'was erased from memory; delete or rename the file' })
    return null
  }
  try {
    const loaded = await folder.load(path, row?.digest ?? null)
    if (loaded.kind === 'unchanged') return null
    const { digest, blocks, sizeBytes } = loaded
    spool.push({ path, digest, blocks }, sizeBytes)
    return digest
  } catch (error) {
    if (!(error instanceof ParseError)) throw error
    result.skipped.push({ path, line: error.line, reason: error.reason })
    return null
  }
}

/** Writes everything in one transaction. False, and nothing is written, when a base is not what was read. */
function publish(
  deps: CompileDeps,
  input: CompileInput,
  spool: Spool<ParsedFile>,
  scan: Scan,
  result: CompileResult,
): Promise<boolean> {
  return deps.store.write(async (tx) => {
    const { root, message } = input
    const current = await knownDocuments(tx, input)
    if (!isCurrent(scan, current)) return false
    if (input.home) await tx.setHome(input.home)
    await moveDocuments(tx, root, scan.moves, current)
    const about = { author: deps.author, operation: 'compile', message, root, createdAt: deps.now() }
    const snapshot = lazySnapshot(tx, deps.redact, about)
    const seeding = input.seedOf && createSeeding(input.seedOf)
    const applier = createApplier(tx, snapshot, seeding?.note)
    const context: PutContext = {
      tx,
      hash: deps.hash,
      redact: deps.redact,
      snapshot,
      applier,
      kinds: new Map(),
    }
    await putFiles(context, input, { spool, current, total: scan.parsed.size, result })
    for (const path of scan.missing.keys()) {
      addConflicts(result, path, await removeDocument(context, current.get(path) as DocumentRow))
    }
    const counts = await applier.finish()
    if (counts.added + counts.modified > 0) await seeding?.apply(tx, await knownDocuments(tx, input))
    Object.assign(result, counts, { total: counts.added + counts.modified + counts.removed })
    result.files.changed = scan.parsed.size
    result.files.removed = scan.missing.size
    result.snapshot = await snapshot.finish()
    return true
  })
}

function isCurrent({ parsed, missing, moves }: Scan, current: Map<string, DocumentRow>): boolean {
  const revisions = new Map([...current.values()].map((row) => [row.id, row.revision]))
  return (
    [...parsed, ...missing].every(([path, revision]) => (current.get(path)?.revision ?? 0) === revision) &&
    [...moves.values()].every((row) => revisions.get(row.id) === row.revision)
  )
}

async function moveDocuments(
  tx: WriteTx,
  root: string,
  moves: Scan['moves'],
  current: Map<string, DocumentRow>,
): Promise<void> {
  const addressed: { documentId: number; address: Address }[] = []
  const moving = new Set([...moves.values()].map((row) => row.id))
  for (const [path, row] of moves) {
    const address = { kind: 'source', root, path } as const
    addressed.push({ documentId: row.id, address })
    // What is left of an earlier file of that name changes places with it.
    const displaced = await tx.findDocument(address)
    if (displaced && !moving.has(displaced.id))
      addressed.push({ documentId: displaced.id, address: row.address })
  }
  await tx.moveDocuments(addressed)
  for (const [path, row] of moves) current.set(path, row)
}

async function putFiles(
  context: PutContext,
  { root, onProgress }: CompileInput,
  work: { spool: Spool<ParsedFile>; current: Map<string, DocumentRow>; total: number; result: CompileResult },
): Promise<void> {
  const { spool, current, total, result } = work
  let done = 0
  let group = newGroup()
  for (const file of spool.drain()) {
    onProgress?.({ phase: 'write', done: done++, total })
    const row = current.get(file.path)
    // Moved here with its text as it was.
    if (row?.digest === file.digest) continue
    const document = toInput(root, file, context.redact)
    countRedactions(textsOf(document), result.redactions)
    if (row) {
      addConflicts(result, file.path, await putDocument(context, row, document))
      continue
    }
    group.inputs.push(document)
    group.blocks += document.flat.length
    if (group.blocks < GROUP_BLOCKS) continue
    await putNewDocuments(context, group.inputs)
    group = newGroup()
  }
  await putNewDocuments(context, group.inputs)
  onProgress?.({ phase: 'write', done, total })
}

function newGroup(): { inputs: DocumentInput[]; blocks: number } {
  return { inputs: [], blocks: 0 }
}

function toInput(root: string, { path, digest, blocks }: ParsedFile, redact: Redact): DocumentInput {
  return { address: { kind: 'source', root, path }, digest, text: null, flat: flatten(blocks, redact) }
}

function textsOf({ flat }: DocumentInput): string[] {
  return flat.map(({ text }) => text)
}

function sourcePath(row: DocumentRow): string {
  return row.address.kind === 'source' ? row.address.path : ''
}

function addConflicts(result: CompileResult, path: string, conflicts: readonly Conflict[]): void {
  for (const conflict of conflicts) result.conflicts.push({ ...conflict, path })
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
    redactions: {},
    snapshot: null,
  }
}
