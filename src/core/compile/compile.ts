import { isMemoryError, MemoryError } from '../errors.ts'
import type { Block } from '../model.ts'
import type { Store } from '../port/store.ts'
import type { Redact } from '../redact.ts'
import { flatten } from '../rows/flatten.ts'
import { aboutOf, type OperationDeps } from '../write/operation.ts'
import type { DocumentInput } from '../write/put.ts'
import { nothingPublished, type Published, publishFiles, storeFacts } from './publish-files.ts'
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
import { type SeedOf, seedsOf } from './seeds.ts'
import type { SkippedFile, Spool } from './source-folder.ts'
import { publishStaged, STAGED_FROM, stagedStart } from './staged-files.ts'

export interface CompileDeps extends OperationDeps {
  createSpool: <T>() => Spool<T>
}

export interface CompileInput extends ScanInput {
  /** The memory's own folder, if the database is in it: a copy of the folder elsewhere then still finds its files. */
  home?: string | null
  /** The heat of nodes that are new or changed. */
  seedOf?: SeedOf | undefined
  message: string
  /** Aborts the compile until everything is written: nothing of it is stored then. */
  signal?: AbortSignal | undefined
  /** How many characters parsed files must have for others not to wait until all is stored. */
  stagedFrom?: number
}

export interface CompileResult extends Published {
  files: { seen: number; changed: number; removed: number }
  /** Files that were left for the next time: see `settleMs`. */
  unsettled: number
  skipped: SkippedFile[]
  /** Problems in files that were compiled anyway; only of files read this time. */
  warnings: SkippedFile[]
  /** As `Scan` has it. */
  unread: Record<string, number>
}

/** Blocks that go to the store together: enough that the way there costs little, and few enough to hold several. */
const BATCH_BLOCKS = 1024
const MAX_ROUNDS = 5

/** Updates the memory from a folder: one snapshot, or none if nothing changed. */
export async function compile(deps: CompileDeps, input: CompileInput): Promise<CompileResult> {
  // Another process may compile the same files between our reading and our writing: then we read again.
  for (let round = 0; round < MAX_ROUNDS; round++) {
    input.signal?.throwIfAborted()
    const spool = deps.createSpool<ParsedFile>()
    try {
      // First: a change while we look is then later than the look.
      const scannedAt = Math.floor(deps.now())
      const known = await readKnown(deps.store, input)
      const found = await scan(input, known, spool, scannedAt)
      const result = emptyResult(found)
      if (!hasChanges(found)) {
        await keepFacts(deps.store, input, found)
        return result
      }
      const stagedFrom = round === 0 ? (input.stagedFrom ?? STAGED_FROM) : Number.POSITIVE_INFINITY
      const published = await publish(deps, { ...input, stagedFrom }, { spool, known, found })
      if (!published) continue
      const files = { seen: found.seen, changed: found.parsed.size, removed: found.missing.size }
      return { ...result, ...published, files }
    } finally {
      spool.close()
    }
  }
  throw new MemoryError('CONFLICT', 'another process keeps compiling these files; retry when it is done')
}

function readKnown(store: Store, input: CompileInput): Promise<Known> {
  return store.read(async (tx) => {
    const [documents, facts] = await Promise.all([
      knownDocuments(tx, input),
      tx.listFileFacts(input.root, input.scope),
    ])
    return { documents, facts: new Map(facts.map((one) => [one.path, one])) }
  })
}

/** For a compile that changes nothing: the recorded facts save the next one from reading the files. Not worth a wait. */
async function keepFacts(store: Store, { root, absorbs }: CompileInput, found: Scan): Promise<void> {
  if (!hasUsefulFacts(found)) return
  try {
    await store.write(storeFacts, { root, absorbs, facts: found.facts }, { wait: false })
  } catch (error) {
    // Nothing is lost: the files are read again next time.
    if (!isMemoryError(error) || !['READ_ONLY', 'UNAVAILABLE'].includes(error.code)) throw error
  }
}

/** Writes everything as one snapshot. Null, and nothing is written, if a base changed since it was read. */
async function publish(
  deps: CompileDeps,
  input: CompileInput & { stagedFrom: number },
  { spool, known, found }: { spool: Spool<ParsedFile>; known: Known; found: Scan },
): Promise<Published | null> {
  const { root, scope, absorbs, home = null, message, signal, seedOf } = input
  signal?.throwIfAborted()
  const { parsed, missing, moves, facts } = found
  const about = aboutOf(deps, { operation: 'compile', message, root })
  const paths = new Set([...known.documents.keys(), ...parsed.keys(), ...moves.keys()])
  const seeds = seedOf && seedsOf(paths, seedOf)
  const files = { about, root, scope, absorbs, home, parsed, missing, moves, facts, seeds }
  const call = { signal, source: batches(deps, input, spool, parsed.size) }
  const start = await stagedStart(deps.store, found, input.stagedFrom)
  return start
    ? publishStaged(deps.store, { ...files, ...start }, call)
    : deps.store.write(publishFiles, files, call)
}

/** Parsed files, as the store takes them; `redact` and `flatten` run while it stores the previous ones. */
async function* batches(
  { redact }: CompileDeps,
  { root, onProgress, signal }: CompileInput,
  spool: Spool<ParsedFile>,
  total: number,
): AsyncGenerator<DocumentInput[]> {
  let done = 0
  let batch: DocumentInput[] = []
  let blocks = 0
  for (const file of spool.drain()) {
    signal?.throwIfAborted()
    onProgress?.({ phase: 'write', done: done++, total })
    const document = toInput(root, file, redact)
    batch.push(document)
    blocks += document.flat.length
    if (blocks < BATCH_BLOCKS) continue
    yield batch
    batch = []
    blocks = 0
  }
  if (batch.length > 0) yield batch
  onProgress?.({ phase: 'write', done, total })
}

function toInput(root: string, { path, digest, blocks }: ParsedFile, redact: Redact): DocumentInput {
  const flat = flatten(JSON.parse(blocks) as Block[], redact)
  return { address: { kind: 'source', root, path }, digest, text: null, flat }
}

function emptyResult({ seen, skipped, warnings, unread, unsettled }: Scan): CompileResult {
  const files = { seen, changed: 0, removed: 0 }
  return { ...nothingPublished(), files, unsettled, skipped, warnings, unread }
}
