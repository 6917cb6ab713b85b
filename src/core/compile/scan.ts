import type { FileFacts } from '../port/file-facts.ts'
import type { DocumentRow, ReadTx } from '../port/store.ts'
import { rootDocuments } from '../write/documents.ts'
import type { CompileProgress } from './compile-progress.ts'
import { factsOf, failureOf, isNews, isSettled, isUntouched } from './file-facts.ts'
import { type Arrived, addArrived, takeRenamed } from './renames.ts'
import type {
  ListedFile,
  LoadedFile,
  LoadRequest,
  SkippedFile,
  SourceFolder,
  Spool,
} from './source-folder.ts'
import { isUnsettled } from './unsettled.ts'

export interface ScanInput {
  /** Stored name of the compile root. */
  root: string
  /** What of it is compiled: a file, or what is below a folder. Missing or empty: all of it. */
  scope?: string
  /** Roots inside it that were compiled by themselves before: their documents become this root's. */
  absorbs?: readonly { root: string; prefix: string }[]
  folder: SourceFolder
  /** Files that changed less than this ago stay what they are for now. Not where nothing is known yet. Default: 0. */
  settleMs?: number
  onProgress?: (progress: CompileProgress) => void
}

/** Which documents a compile is about. */
export interface Scope {
  root: string
  scope?: string | undefined
  absorbs?: ScanInput['absorbs'] | undefined
}

/** What is stored of a folder, by path below its root. */
export interface Known {
  documents: Map<string, DocumentRow>
  facts: Map<string, FileFacts>
}

export interface ParsedFile {
  path: string
  digest: string
  /** As `LoadedFile` has them. */
  blocks: string
}

/** What a look at the folder found. Revisions are those of the documents as they were known; 0: there was none. */
export interface Scan {
  /** Files in the folder. */
  seen: number
  /** By path the revision of the document whose file is in the spool. */
  parsed: Map<string, number>
  /** Of what is in the spool, in characters. */
  size: number
  /** By path the revision of the document whose file is gone. */
  missing: Map<string, number>
  /** By new path the document that goes on there: of a root inside this one, or of a file that was renamed. */
  moves: Map<string, DocumentRow>
  skipped: SkippedFile[]
  /** What is wrong with files that were read all the same. */
  warnings: SkippedFile[]
  /** By extension, most frequent first, how many files are of no kind that is read. */
  unread: Record<string, number>
  /** Files that were left for the next look: somebody may still be writing them. */
  unsettled: number
  facts: { put: FileFacts[]; delete: string[] }
}

/** One look at a folder, while it goes on. */
interface Look {
  input: ScanInput
  known: Known
  spool: Spool<ParsedFile>
  scannedAt: number
  found: Scan
  arrived: Arrived
  /** What the file system knows new files by that were left for the next look. */
  coming: Set<string>
}

/** Looks at the folder, reads what may have changed, and puts what did into the spool. */
export async function scan(
  input: ScanInput,
  known: Known,
  spool: Spool<ParsedFile>,
  scannedAt: number,
): Promise<Scan> {
  const { folder, onProgress } = input
  const files = await folder.list()
  const found = emptyScan(files.length)
  const look: Look = { input, known, spool, scannedAt, found, arrived: new Map(), coming: new Set() }
  const unsure = files.filter((file) => !isKnownUnread(look, file) && !isLeft(look, file))
  let done = 0
  for await (const loaded of folder.load(unsure.map((file) => toRequest(known, file)))) {
    onProgress?.({ phase: 'read', done, total: unsure.length })
    const file = unsure[done++] as ListedFile
    takeLoaded(look, file, loaded)
    noteFacts(look, file, loaded)
  }
  onProgress?.({ phase: 'read', done, total: unsure.length })
  findAbsent(look, new Set(files.map((file) => file.path)))
  for (const { path, reason } of folder.problems()) found.skipped.push({ path, line: null, reason })
  found.unread = folder.unread()
  found.skipped.sort((a, b) => (a.path < b.path ? -1 : 1))
  return found
}

/** Whether there is something to write that changes what the memory says. */
export function hasChanges({ parsed, missing, moves }: Scan): boolean {
  return parsed.size + missing.size + moves.size > 0
}

/** Whether the facts alone are worth a transaction: a file that is not settled is read again in any case. */
export function hasUsefulFacts({ facts }: Scan): boolean {
  return facts.delete.length > 0 || facts.put.some(isSettled)
}

/** By path below this root: its documents, and those of the roots that it takes over. */
export async function knownDocuments(
  tx: Pick<ReadTx, 'documents'>,
  { root, scope = '', absorbs = [] }: Scope,
): Promise<Map<string, DocumentRow>> {
  // What is taken over may meet anything of this root.
  const within = absorbs.length === 0 ? scope : ''
  const known = new Map((await rootDocuments(tx, root, within)).map((row) => [sourcePath(row), row]))
  for (const inner of absorbs) {
    for (const row of await rootDocuments(tx, inner.root)) {
      const path = `${inner.prefix}/${sourcePath(row)}`
      const own = known.get(path)
      if (!own || (own.state === 'removed' && row.state !== 'removed')) known.set(path, row)
    }
  }
  return known
}

/** Whether all is known of a file without reading it. */
function isKnownUnread({ input, known, found }: Look, file: ListedFile): boolean {
  const { path } = file
  const row = known.documents.get(path)
  if (row?.state === 'erased') {
    found.skipped.push({ path, line: null, reason: 'was erased from memory; delete or rename the file' })
    return true
  }
  const facts = known.facts.get(path)
  if (!facts || !isUntouched(file, facts, input.folder.parserOf(path))) return false
  if (facts.failure) found.skipped.push({ path, ...facts.failure })
  return facts.failure !== null || row?.digest === facts.digest
}

/** Whether a file is left for the next look. */
function isLeft({ input, known, scannedAt, found, coming }: Look, file: ListedFile): boolean {
  const { settleMs = 0 } = input
  if (settleMs === 0 || known.documents.size + known.facts.size === 0) return false
  if (!isUnsettled(file, { scannedAt, settleMs })) return false
  found.unsettled++
  if (!known.documents.has(file.path)) coming.add(file.inode)
  return true
}

function toRequest({ documents, facts }: Known, { path, sizeBytes, target }: ListedFile): LoadRequest {
  const seen = facts.get(path)
  // What failed last is not what the document was compiled from.
  const knownDigest = seen?.failure ? seen.digest : documents.get(path)?.digest
  const request = { path, sizeBytes, knownDigest: knownDigest ?? null }
  return target === undefined ? request : { ...request, target }
}

function takeLoaded({ known, found, spool, arrived }: Look, { path }: ListedFile, loaded: LoadedFile): void {
  const failure = failureOf(loaded, known.facts.get(path))
  if (failure) found.skipped.push({ path, ...failure })
  if (loaded.kind !== 'parsed') return
  const { digest, blocks, sizeBytes, warnings } = loaded
  for (const warning of warnings) found.warnings.push({ path, ...warning })
  spool.push({ path, digest, blocks }, sizeBytes)
  found.size += blocks.length
  const row = known.documents.get(path)
  found.parsed.set(path, row?.revision ?? 0)
  if (!row || row.state === 'removed') addArrived(arrived, digest, path)
}

function noteFacts({ input, known, found, scannedAt }: Look, file: ListedFile, loaded: LoadedFile): void {
  const stored = known.facts.get(file.path)
  const parser = input.folder.parserOf(file.path)
  const facts = factsOf(file, loaded, { scannedAt, parser, known: stored })
  if (facts && isNews(facts, stored)) found.facts.put.push(facts)
}

/** What became of the documents whose file is not where it was. */
function findAbsent({ input, known, found, arrived, coming }: Look, present: ReadonlySet<string>): void {
  const { folder, root } = input
  const isGone = (path: string): boolean => !present.has(path) && folder.covers(path)
  for (const [path, row] of known.documents) {
    if (row.address.kind === 'source' && row.address.root !== root) found.moves.set(path, row)
    if (row.state === 'removed' || !isGone(path)) continue
    // It may go on under the name of a file that is left for now: then it is renamed, not gone.
    if (coming.has(known.facts.get(path)?.inode ?? '')) continue
    // The same text under another name is the same document: its nodes keep their identity.
    const renamed = takeRenamed(arrived, path, row)
    if (renamed === undefined) found.missing.set(path, row.revision)
    else {
      found.moves.delete(path)
      found.moves.set(renamed, row)
    }
  }
  for (const [path, { inode }] of known.facts)
    if (isGone(path) && !coming.has(inode)) found.facts.delete.push(path)
}

function emptyScan(seen: number): Scan {
  return {
    seen,
    parsed: new Map(),
    size: 0,
    missing: new Map(),
    moves: new Map(),
    skipped: [],
    warnings: [],
    unread: {},
    unsettled: 0,
    facts: { put: [], delete: [] },
  }
}

function sourcePath(row: DocumentRow): string {
  return row.address.kind === 'source' ? row.address.path : ''
}
