import { MemoryError, needs } from './errors.ts'
import type { ReadTx, Store } from './port/store.ts'
import type { TransferCounts } from './port/transfer.ts'
import { COUNTED, encodeHeader, encodeLine, type Header, type Line } from './transfer-format.ts'

/** Rows asked for at once. Texts come with them, so that this many must fit in memory. */
const PAGE = 256
/** Of documents with their exact texts, which can be large. */
const TEXT_PAGE = 16
const CHUNK_LENGTH = 64 * 1024

export interface ExportDeps {
  store: Pick<Store, 'read'>
  now: () => number
  /** Takes the next piece of the file; the export waits for it. */
  write: (text: string) => Promise<void> | void
  onProgress?: (progress: { done: number; total: number }) => void
}

export type ExportResult = TransferCounts

/**
 * Tells a whole memory, with its history, as lines of JSON. All of it is as it was at one moment: one read transaction
 * lasts as long as `write` takes. That holds up nobody, but a slow reader lets the journal of a busy memory grow.
 */
export async function exportMemory(deps: ExportDeps): Promise<ExportResult> {
  needs(typeof deps.write === 'function', 'export needs a function that takes the next piece of the file')
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
      for await (const line of lines(tx)) {
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
  const space = await tx.transferSpace()
  return { ...space, exportedAt, cursorHash: (await tx.state()).head?.cursorHash ?? null }
}

/** Rows that hang on nothing are not reached: better no file than one that lacks something. */
function checkCounts(written: TransferCounts, counts: TransferCounts): void {
  if (Object.entries(counts).every(([name, count]) => written[name as keyof TransferCounts] === count)) return
  throw new MemoryError(
    'CORRUPTED_DATA',
    'not every row of the memory belongs to a document; nothing was exported. Run `remindb doctor`',
  )
}

async function* lines(tx: ReadTx): AsyncGenerator<Line> {
  for await (const row of pages(PAGE, (page) => tx.transferSnapshots(page), byId))
    yield { kind: 'snapshot', row }
  for await (const row of pages(TEXT_PAGE, (page) => tx.transferDocuments(page), byId)) {
    yield { kind: 'document', row }
    const versions = pages(
      TEXT_PAGE,
      (page) => tx.transferDocumentVersions(row.id, page),
      (version) => version.snapshotId,
    )
    for await (const version of versions) yield { kind: 'documentVersion', row: version }
    yield* nodeLines(tx, row.id)
  }
  yield { kind: 'end' }
}

async function* nodeLines(tx: ReadTx, documentId: number): AsyncGenerator<Line> {
  const keys = await tx.transferKeys(documentId)
  for (let at = 0; at < keys.length; at += PAGE) {
    const some = keys.slice(at, at + PAGE)
    const versions = versionsOf(tx, some)
    let next = await versions.next()
    for (const row of await tx.transferNodes(some)) {
      yield { kind: 'node', row }
      for (; !next.done && next.value.nodeKey === row.key; next = await versions.next())
        yield { kind: 'version', row: next.value }
    }
  }
}

async function* versionsOf(tx: ReadTx, keys: number[]) {
  let after = { nodeKey: 0, snapshotId: 0 }
  for (let isMore = true; isMore; ) {
    const page = await tx.transferVersions(keys, { limit: PAGE, after })
    yield* page
    after = page.at(-1) ?? after
    isMore = page.length === PAGE
  }
}

const byId = (row: { id: number }): number => row.id

async function* pages<T>(
  limit: number,
  ask: (page: { after: number; limit: number }) => Promise<T[]>,
  keyOf: (row: T) => number,
): AsyncGenerator<T> {
  let after = 0
  for (let isMore = true; isMore; ) {
    const page = await ask({ after, limit })
    yield* page
    after = page.length === 0 ? after : keyOf(page.at(-1) as T)
    isMore = page.length === limit
  }
}
