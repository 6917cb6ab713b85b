import type { Counts } from './apply.ts'
import type { Hash64 } from './digest.ts'
import { isMemoryError, MemoryError } from './errors.ts'
import { flatten } from './flatten.ts'
import type { Address, Block } from './model.ts'
import type { Conflict } from './plan.ts'
import type { DocumentRow, SnapshotRow, Store, WriteTx } from './port/store.ts'
import {
  type DocumentInput,
  newPutContext,
  type PutContext,
  putDocument,
  putNewDocuments,
  removeDocument,
} from './put.ts'
import { countRedactions, type Redact, type Redactions } from './redact.ts'
import {
  hasChanges,
  hasUsefulFacts,
  type Known,
  knownDocuments,
  type ParsedFile,
  type Scan,
  type ScanInput,
  scan,
} from './scan.ts'
import { createSeeding, type SeedOf } from './seeds.ts'
import type { SkippedFile, Spool } from './source-folder.ts'

export interface CompileDeps {
  store: Store
  hash: Hash64
  now: () => number
  redact: Redact
  author: string
  createSpool: <T>() => Spool<T>
}

export interface CompileInput extends ScanInput {
  /** The memory's own folder, where the database is in it: a copy elsewhere then still knows where its files are. */
  home?: string | null
  /** The heat of nodes that are new or changed. */
  seedOf?: SeedOf | undefined
  message: string
  /** Gives up when it says so, until everything is written: nothing of the compile is then stored. */
  signal?: AbortSignal | undefined
}

export interface CompileResult extends Counts {
  total: number
  files: { seen: number; changed: number; removed: number }
  /** Files that are gone, with the nodes they took along, by path. */
  purged: { path: string; nodes: number }[]
  /** Files that were left for the next time: see `settleMs`. */
  unsettled: number
  skipped: SkippedFile[]
  /** What is wrong with files that were compiled all the same; only of those that were read this time. */
  warnings: SkippedFile[]
  /** As `Scan` has it. */
  unread: Record<string, number>
  conflicts: (Conflict & { path: string })[]
  /** Secrets that the files which were put have markers for, by kind. */
  redactions: Redactions
  /** Null when nothing changed. */
  snapshot: SnapshotRow | null
}

/** New documents planned together, so that the store is asked once for many; few enough that others get their turn meanwhile. */
const GROUP_BLOCKS = 256
const MAX_ROUNDS = 5

/** Facts sent to the store at once. */
const FACTS_CHUNK = 2000

/** Brings the memory to what a folder says: one snapshot, or none when nothing changed. */
export async function compile(deps: CompileDeps, input: CompileInput): Promise<CompileResult> {
  // Another process may compile the same files between our reading and our writing: then we read again.
  for (let round = 0; round < MAX_ROUNDS; round++) {
    input.signal?.throwIfAborted()
    const spool = deps.createSpool<ParsedFile>()
    try {
      // First: a change while we look is then later than the look.
      const scannedAt = Math.floor(deps.now())
      const found = await scan(input, await readKnown(deps.store, input), spool, scannedAt)
      const result = emptyResult(found)
      if (!hasChanges(found)) {
        await keepFacts(deps.store, input, found)
        return result
      }
      if (await publish(deps, input, spool, found, result)) return result
    } finally {
      spool.close()
    }
  }
  throw new MemoryError('CONFLICT', 'another process keeps compiling these files; try again when it is done')
}

function readKnown(store: Store, input: CompileInput): Promise<Known> {
  return store.read(async (tx) => ({
    documents: await knownDocuments(tx, input),
    facts: new Map((await tx.listFileFacts(input.root, input.scope)).map((facts) => [facts.path, facts])),
  }))
}

/** For a compile that changes nothing: what it learnt of the files saves the next one from reading them. Not worth a wait. */
async function keepFacts(store: Store, input: CompileInput, found: Scan): Promise<void> {
  if (!hasUsefulFacts(found)) return
  try {
    await store.write((tx) => writeFacts(tx, input, found), { wait: false })
  } catch (error) {
    // Nothing is lost: the files are read again next time.
    if (!isMemoryError(error) || !['READ_ONLY', 'UNAVAILABLE'].includes(error.code)) throw error
  }
}

async function writeFacts(tx: WriteTx, { root, absorbs = [] }: CompileInput, { facts }: Scan): Promise<void> {
  for (let at = 0; at < facts.put.length; at += FACTS_CHUNK)
    await tx.putFileFacts(root, facts.put.slice(at, at + FACTS_CHUNK))
  await tx.deleteFileFacts(root, facts.delete)
  for (const inner of absorbs) {
    const paths = (await tx.listFileFacts(inner.root)).map(({ path }) => path)
    await tx.deleteFileFacts(inner.root, paths)
  }
}

/** Writes everything in one transaction. False, and nothing is written, when a base is not what was read. */
function publish(
  deps: CompileDeps,
  input: CompileInput,
  spool: Spool<ParsedFile>,
  found: Scan,
  result: CompileResult,
): Promise<boolean> {
  return deps.store.write(async (tx) => {
    const { root, message, signal } = input
    signal?.throwIfAborted()
    const current = await knownDocuments(tx, input)
    if (!isCurrent(found, current)) return false
    if (input.home) await tx.setHome(input.home)
    await moveDocuments(tx, root, found.moves, current)
    const about = { author: deps.author, operation: 'compile', message, root, now: deps.now }
    const seeding = input.seedOf && createSeeding(input.seedOf)
    const context = newPutContext(tx, deps, about, seeding?.note)
    await putFiles(context, input, { spool, current, total: found.parsed.size, result })
    for (const path of found.missing.keys()) {
      signal?.throwIfAborted()
      const { conflicts, nodes } = await removeDocument(context, current.get(path) as DocumentRow)
      addConflicts(result, path, conflicts)
      result.purged.push({ path, nodes })
    }
    result.purged.sort((a, b) => (a.path < b.path ? -1 : 1))
    const counts = await context.applier.finish()
    if (counts.added + counts.modified > 0) await seeding?.apply(tx, await knownDocuments(tx, input))
    Object.assign(result, counts, { total: counts.added + counts.modified + counts.removed })
    await writeFacts(tx, input, found)
    result.files.changed = found.parsed.size
    result.files.removed = found.missing.size
    result.snapshot = await (await context.snapshot.finish()).row
    signal?.throwIfAborted()
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
  { root, onProgress, signal }: CompileInput,
  work: { spool: Spool<ParsedFile>; current: Map<string, DocumentRow>; total: number; result: CompileResult },
): Promise<void> {
  const { spool, current, total, result } = work
  let done = 0
  let group = newGroup()
  for (const file of spool.drain()) {
    signal?.throwIfAborted()
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
  const flat = flatten(JSON.parse(blocks) as Block[], redact)
  return { address: { kind: 'source', root, path }, digest, text: null, flat }
}

function textsOf({ flat }: DocumentInput): string[] {
  return flat.map(({ text }) => text)
}

function addConflicts(result: CompileResult, path: string, conflicts: readonly Conflict[]): void {
  for (const conflict of conflicts) result.conflicts.push({ ...conflict, path })
}

function emptyResult({ seen, skipped, warnings, unread, unsettled }: Scan): CompileResult {
  return {
    added: 0,
    modified: 0,
    removed: 0,
    total: 0,
    files: { seen, changed: 0, removed: 0 },
    purged: [],
    unsettled,
    skipped,
    warnings,
    unread,
    conflicts: [],
    redactions: {},
    snapshot: null,
  }
}
