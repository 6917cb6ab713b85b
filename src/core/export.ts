import { MemoryError, needs } from './errors.ts'
import type { StoredRows, StoredTable } from './port/scan.ts'
import type { ReadTx, Store } from './port/store.ts'
import type { TransferCounts, TransferSpace } from './port/transfer.ts'
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

/** Rows that hang on nothing are not reached: better no file than one that lacks something. */
function checkCounts(written: TransferCounts, counts: TransferCounts): void {
  if (Object.entries(counts).every(([name, count]) => written[name as keyof TransferCounts] === count)) return
  throw new MemoryError(
    'CORRUPTED_DATA',
    'not every row of the memory belongs to a document; nothing was exported. Run `remindb doctor`',
  )
}

async function* lines(tx: ReadTx): AsyncGenerator<Line> {
  for await (const row of rowsOf(tx, 'snapshots', { keyOf: ({ id }) => [id] }))
    yield { kind: 'snapshot', row }
  for await (const row of rowsOf(tx, 'documents', { limit: TEXT_PAGE, keyOf: ({ id }) => [id] })) {
    yield { kind: 'document', row }
    const versions = rowsOf(tx, 'documentVersions', {
      ...{ of: [row.id], limit: TEXT_PAGE },
      keyOf: ({ documentId, snapshotId }) => [documentId, snapshotId],
    })
    for await (const version of versions) yield { kind: 'documentVersion', row: version }
    yield* nodeLines(tx, row.id)
  }
  yield { kind: 'end' }
}

async function* nodeLines(tx: ReadTx, documentId: number): AsyncGenerator<Line> {
  const members = await tx.scan('members', { of: [documentId], limit: Number.MAX_SAFE_INTEGER })
  for (let at = 0; at < members.length; at += PAGE) {
    const of = members.slice(at, at + PAGE).map(({ key }) => key)
    const versions = rowsOf(tx, 'versions', { of, keyOf: ({ nodeKey, snapshotId }) => [nodeKey, snapshotId] })
    let next = await versions.next()
    for (const row of await tx.scan('nodes', { of, limit: PAGE })) {
      yield { kind: 'node', row }
      for (; !next.done && next.value.nodeKey === row.key; next = await versions.next())
        yield { kind: 'version', row: next.value }
    }
  }
}

interface Asked<T extends StoredTable> {
  of?: readonly number[]
  limit?: number
  keyOf: (row: StoredRows[T]) => number[]
}

/** Page by page. */
async function* rowsOf<T extends StoredTable>(
  tx: ReadTx,
  table: T,
  { limit = PAGE, keyOf, ...of }: Asked<T>,
): AsyncGenerator<StoredRows[T]> {
  let after: number[] = []
  for (let isMore = true; isMore; ) {
    const page = await tx.scan(table, { ...of, after, limit })
    yield* page
    const last = page.at(-1)
    if (last) after = keyOf(last)
    isMore = page.length === limit
  }
}
