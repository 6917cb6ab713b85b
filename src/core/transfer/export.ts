import { createNumberSet, type NumberSet } from '../../util/number-set.ts'
import { MemoryError, needs } from '../errors.ts'
import type { DocumentMove } from '../port/history.ts'
import type { ScannedDocument, ScannedNode, ScannedVersion } from '../port/scan.ts'
import type { ReadTx, Store } from '../port/store.ts'
import { nodePages, nodesByKey, pagesOf, textsOf } from '../rows/stored-pages.ts'
import { exportedDocument, exportedDocumentVersion, exportedNodes, exportedVersion } from './export-rows.ts'
import { COUNTED, encodeHeader, encodeLine, type Header, type Line } from './transfer-format.ts'
import type { TransferCounts, TransferNode, TransferSpace } from './transfer-rows.ts'

/** Versions per read. They include texts, so this many must fit in memory. */
const PAGE = 256
/** For documents with their exact texts, which can be large. */
const TEXT_PAGE = 16
const CHUNK_LENGTH = 64 * 1024

export interface ExportDeps {
  store: Pick<Store, 'read'>
  now: () => number
  /** Writes the next piece of the file; the export awaits it. */
  write: (text: string) => Promise<void> | void
  onProgress?: (progress: { done: number; total: number }) => void
}

export type ExportResult = TransferCounts

/**
 * Exports a whole memory, with its history, as lines of JSON, as of one moment: one read transaction lasts as long as
 * `write` takes. That blocks no writer, but with a slow reader the journal of a busy memory grows.
 */
export async function exportMemory(deps: ExportDeps): Promise<ExportResult> {
  needs(typeof deps.write === 'function', 'export needs a function that writes the next piece of the file')
  return deps.store.read(
    async (tx) => {
      const header = await readHeader(tx, deps.now())
      const { counts } = header
      const written: TransferCounts = {
        snapshots: 0,
        documents: 0,
        documentVersions: 0,
        nodes: 0,
        versions: 0,
      }
      let chunk = `${encodeHeader(header)}\n`
      for await (const some of lines(tx))
        for (const line of some) {
          chunk += `${encodeLine(line)}\n`
          if (line.kind !== 'end') written[COUNTED[line.kind]]++
          if (chunk.length < CHUNK_LENGTH) continue
          await deps.write(chunk)
          chunk = ''
          deps.onProgress?.({ done: written.nodes, total: counts.nodes })
        }
      checkCounts(written, counts)
      await deps.write(chunk)
      return written
    },
    { includeExpired: true },
  )
}

async function readHeader(tx: ReadTx, exportedAt: number): Promise<Header> {
  const cursorHash = (await tx.state()).head?.cursorHash ?? null
  return { ...(await readSpace(tx)), exportedAt, cursorHash }
}

export async function readSpace(tx: ReadTx): Promise<TransferSpace> {
  const [{ head, heat }, counts] = await Promise.all([tx.state(), rowCounts(tx)])
  return { headId: head?.id ?? null, heat, counts }
}

async function rowCounts(tx: ReadTx): Promise<TransferCounts> {
  const [snapshots, documents, documentVersions, nodes, versions] = await Promise.all([
    tx.countRows('snapshots'),
    tx.countRows('documents'),
    tx.countRows('documentVersions'),
    tx.countRows('nodes'),
    tx.countRows('versions'),
  ])
  return { snapshots, documents, documentVersions, nodes, versions }
}

/** Orphaned rows are not reached: an incomplete file is worse than none. */
function checkCounts(written: TransferCounts, counts: TransferCounts): void {
  if (Object.entries(counts).every(([name, count]) => written[name as keyof TransferCounts] === count)) return
  throw new MemoryError(
    'CORRUPTED_DATA',
    'not every row of the memory belongs to a document; nothing was exported. Run `remindb doctor`',
  )
}

/** In order, several at a time. */
async function* lines(tx: ReadTx): AsyncGenerator<Line[]> {
  const names = Map.groupBy(await tx.checkpoints(), ({ snapshotId }) => snapshotId)
  for await (const page of pagesOf(tx, 'snapshots'))
    yield page.map((row) => ({
      kind: 'snapshot',
      row: { ...row, checkpoints: names.get(row.id) ?? null },
    }))
  for await (const page of pagesOf(tx, 'documents', { limit: TEXT_PAGE })) {
    const texts = await textsOf(tx, page)
    const moves = Map.groupBy(await movesOf(tx, page), ({ documentId }) => documentId)
    for (const row of page.filter(({ isOwn }) => isOwn)) {
      yield [{ kind: 'document', row: exportedDocument(row, texts, moves.get(row.id) ?? []) }]
      yield* documentVersionLines(tx, row)
      yield* nodeLines(tx, row.id)
    }
  }
  yield [{ kind: 'end' }]
}

async function movesOf(tx: ReadTx, documents: readonly ScannedDocument[]): Promise<DocumentMove[]> {
  const found: DocumentMove[] = []
  const of = { documentId: documents.map(({ id }) => id) }
  for await (const page of pagesOf(tx, 'moves', { of })) found.push(...page)
  return found
}

async function* documentVersionLines(tx: ReadTx, { id, kind }: ScannedDocument): AsyncGenerator<Line[]> {
  for await (const page of pagesOf(tx, 'documentVersions', { of: { documentId: [id] }, limit: TEXT_PAGE })) {
    const texts = await textsOf(tx, page)
    yield page.map((row) => ({ kind: 'documentVersion', row: exportedDocumentVersion(row, kind, texts) }))
  }
}

async function* nodeLines(tx: ReadTx, documentId: number): AsyncGenerator<Line[]> {
  const known = createNumberSet()
  for await (const page of nodePages(tx, documentId)) {
    for (const { key } of page) known.add(key)
    for (let at = 0; at < page.length; at += PAGE)
      yield* versionedNodeLines(tx, page.slice(at, at + PAGE), known)
  }
}

/** Each node is followed by its versions. `known`: keys of existing nodes, which this adds to. */
async function* versionedNodeLines(
  tx: ReadTx,
  rows: readonly ScannedNode[],
  known: NumberSet,
): AsyncGenerator<Line[]> {
  const nodeKey = rows.map(({ key }) => key)
  const nodes = await exportedNodes(tx, rows)
  let next = 0
  function nodesUpTo(key: number): Line[] {
    const first = next
    while (next < nodes.length && (nodes[next] as TransferNode).key <= key) next++
    return nodes.slice(first, next).map((row) => ({ kind: 'node', row }))
  }
  for await (const versions of pagesOf(tx, 'versions', { of: { nodeKey }, limit: PAGE })) {
    const [texts] = await Promise.all([textsOf(tx, versions), learnParents(tx, versions, known)])
    yield versions.flatMap((row): Line[] => [
      ...nodesUpTo(row.nodeKey),
      { kind: 'version', row: exportedVersion(row, texts, known) },
    ])
  }
  yield nodesUpTo(Number.MAX_SAFE_INTEGER)
}

/** The parent that a version names may have been deleted with dropped history. */
async function learnParents(
  tx: ReadTx,
  versions: readonly ScannedVersion[],
  known: NumberSet,
): Promise<void> {
  const parents = new Set(versions.flatMap(({ parentKey }) => parentKey ?? []))
  const found = await nodesByKey(
    tx,
    [...parents].filter((key) => !known.has(key)),
  )
  for (const { key } of found) known.add(key)
}
