import type { FileFacts } from '../port/file-facts.ts'
import type { DocumentRow, ReadTx } from '../port/store.ts'
import { rootDocuments } from '../write/documents.ts'
import type { CompileProgress } from './compile-progress.ts'
import { factsOf, failureOf, isNews, isSettled, isUntouched } from './file-facts.ts'
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
  /** The part of it to compile: a file, or everything below a folder. Missing or empty: all of it. */
  scope?: string
  /** Roots inside it that were compiled by themselves before: their documents become this root's. */
  absorbs?: readonly { root: string; prefix: string }[]
  folder: SourceFolder
  /** Files changed more recently than this are left alone for now, except in a first compile. Default: 0. */
  settleMs?: number
  onProgress?: (progress: CompileProgress) => void
}

/** Which documents a compile is about. */
export interface Scope {
  root: string
  scope?: string | undefined
  absorbs?: ScanInput['absorbs'] | undefined
}

/** The stored documents of a folder, by path below its root. */
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

/** The result of a scan. Revisions are those of the documents as they were read; 0: no document. */
export interface Scan {
  /** Files in the folder. */
  seen: number
  /** By path, the revision of the document whose file is in the spool. */
  parsed: Map<string, number>
  /** The size of the files in the spool, in characters. */
  size: number
  /** By path, the revision of the document whose file has disappeared. */
  missing: Map<string, number>
  /** By new path, the document that continues there: of a root inside this one, or of a renamed file. */
  moves: Map<string, DocumentRow>
  skipped: SkippedFile[]
  /** Problems in files that were read anyway. */
  warnings: SkippedFile[]
  /** By extension, most frequent first, how many files are of no kind that is read. */
  unread: Record<string, number>
  /** Files left for the next scan: another program may still be writing them. */
  unsettled: number
  facts: { put: FileFacts[]; delete: string[] }
}

/** A scan in progress. */
interface Look {
  input: ScanInput
  known: Known
  spool: Spool<ParsedFile>
  scannedAt: number
  found: Scan
  arrived: Arrived
  /** File system identities of new files that were left for the next scan. */
  coming: Set<string>
}

/** Scans the folder, reads the files that may have changed, and spools the ones that did. */
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

/** Whether anything to write changes the content of the memory. */
export function hasChanges({ parsed, missing, moves }: Scan): boolean {
  return parsed.size + missing.size + moves.size > 0
}

/** Whether the facts alone are worth a transaction: a file that is not settled is read again anyway. */
export function hasUsefulFacts({ facts }: Scan): boolean {
  return facts.delete.length > 0 || facts.put.some(isSettled)
}

/** By path below this root: its documents, and those of the roots that it takes over. */
export async function knownDocuments(
  tx: Pick<ReadTx, 'documents'>,
  { root, scope = '', absorbs = [] }: Scope,
): Promise<Map<string, DocumentRow>> {
  // A document taken over may collide with any document of this root.
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
  // The last failed attempt is not the text the document was compiled from.
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

/** Decides what happens to documents whose file has disappeared. */
function findAbsent({ input, known, found, arrived, coming }: Look, present: ReadonlySet<string>): void {
  const { folder, root } = input
  const isGone = (path: string): boolean => !present.has(path) && folder.covers(path)
  for (const [path, row] of known.documents) {
    if (row.address.kind === 'source' && row.address.root !== root) found.moves.set(path, row)
    if (row.state === 'removed' || !isGone(path)) continue
    // It may continue under the name of a file that was left for now: then it is renamed, not removed.
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

/** Files that are new in a folder, by the digest of their text. */
type Arrived = Map<string, string[]>

/** Notes a new file. */
function addArrived(arrived: Arrived, digest: string, path: string): void {
  const sameText = arrived.get(digest)
  if (sameText) sameText.push(path)
  else arrived.set(digest, [path])
}

/**
 * The new path of a document whose file has disappeared: a new file with the same text. Of several the one with the same name,
 * else the first, which is then taken.
 */
function takeRenamed(arrived: Arrived, path: string, { digest }: DocumentRow): string | undefined {
  const candidates = digest === null ? undefined : arrived.get(digest)
  if (!candidates || candidates.length === 0) return undefined
  const sameName = candidates.findIndex((candidate) => nameOf(candidate) === nameOf(path))
  return candidates.splice(Math.max(0, sameName), 1)[0]
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
