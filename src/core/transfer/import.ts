import { checkMemory } from '../doctor/check-memory.ts'
import { MemoryError, needs } from '../errors.ts'
import type { Operation, OperationTools, Store, WriteTx } from '../port/store.ts'
import type { Prepare } from '../prepare.ts'
import type { Redact } from '../redact.ts'
import type { ImportItem } from './import-items.ts'
import { jsonLines, lineError } from './import-lines.ts'
import { createLoader } from './import-load.ts'
import { createRedaction } from './import-redaction.ts'
import { createImporter } from './importer.ts'
import { FieldError, isObject } from './transfer-fields.ts'
import { decodeHeader, decodeLine, type Header } from './transfer-format.ts'
import type { TransferCounts } from './transfer-rows.ts'
import { FORMAT_VERSION } from './transfer-shapes.ts'

export interface ImportDeps {
  store: Pick<Store, 'write'>
  redact: Redact
  prepare: Prepare
  /** The file, piece by piece. */
  source: AsyncIterable<Uint8Array>
  onProgress?: (progress: { done: number; total: number }) => void
}

export interface ImportResult extends TransferCounts {
  /** How many texts, labels, links and messages were redacted. */
  redactions: number
}

/**
 * Fills an empty memory from an export, completely or not at all. Reading happens inside the write transaction: the
 * file may be larger than memory, and nothing else uses an empty memory.
 */
export async function importMemory(deps: ImportDeps): Promise<ImportResult> {
  needs(isIterable(deps.source), 'import needs the pieces of an export, such as a stream of its file')
  const redaction = createRedaction(deps)
  // Immediately, before any await: a stream that fails without a listener ends the process.
  const lines = jsonLines(deps.source)
  const first = await lines.next()
  if (first.done) throw new MemoryError('INVALID_INPUT', 'the file is empty; nothing was imported')
  const header = readHeader(first.value.value)
  const batcher = createBatcher()
  const importer = createImporter(batcher.add, header, redaction)
  async function* batches(): AsyncGenerator<ImportBatch | ImportEnd> {
    for await (const { number, value } of lines) {
      const line = withLine(number, () => decodeLine(value))
      await importer.take(number, line)
      if (number % 512 === 0) deps.onProgress?.({ done: importer.counts.nodes, total: header.counts.nodes })
      if (batcher.isFull()) yield batcher.take()
    }
    importer.finish()
    yield batcher.take()
    yield { header, recomputeHead: redaction.count > 0 }
  }
  await deps.store.write(fillMemory, {}, { source: batches() })
  return { ...importer.counts, redactions: redaction.count }
}

/** Comes after all rows. */
interface ImportEnd {
  header: Header
  /** Redaction changed texts, so the head's recorded `cursor_hash` is out of date. */
  recomputeHead: boolean
}

/** Its source yields batches of rows, then their end. */
export const fillMemory: Operation<object, void> = {
  name: 'import',
  makesLinks: true,
  async run(tx, _, tools) {
    await checkEmpty(tx)
    const loader = createLoader(tx, tools)
    for await (const part of tools.source as AsyncIterable<ImportBatch | ImportEnd>) {
      if ('items' in part) await storeBatch(loader, part)
      else await loader.finish(part.header.heat, part)
    }
    await checkSound(tx, tools)
  },
}

type Loader = ReturnType<typeof createLoader>

async function storeBatch(loader: Loader, { items, lines }: ImportBatch): Promise<void> {
  const repeated = await loader.store(items)
  if (repeated !== null) throw lineError(lines[repeated] as number, 'duplicate id, key or address')
}

async function checkEmpty(tx: WriteTx): Promise<void> {
  const [snapshots, documents] = await Promise.all([tx.countRows('snapshots'), tx.countRows('documents')])
  if (snapshots + documents === 0) return
  throw new MemoryError(
    'CONFLICT',
    'this memory is not empty; an import needs an empty one: name a new database with --db',
  )
}

function readHeader(value: unknown): Header {
  if (!isObject(value) || value.remindb !== 'export')
    throw lineError(1, 'is not the header of an export of remindb')
  if (Number.isSafeInteger(value.version) && (value.version as number) > FORMAT_VERSION)
    throw new MemoryError(
      'NEWER_DATABASE',
      `the file was exported by a newer remindb (format ${value.version}, this one knows ${FORMAT_VERSION}); nothing was imported. Upgrade remindb`,
    )
  return withLine(1, () => decodeHeader(value))
}

function withLine<T>(number: number, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw error instanceof FieldError ? lineError(number, error.message) : error
  }
}

/** Every check of doctor: a forged file must not get past them. */
async function checkSound(tx: WriteTx, tools: OperationTools): Promise<void> {
  const checks = await checkMemory(tx, tools)
  const failed = checks.filter((check) => check.status === 'fail').map((check) => check.name)
  if (failed.length === 0) return
  throw new MemoryError(
    'INVALID_INPUT',
    `the file does not contain a sound memory (${failed.join(', ')}); nothing was imported. Export it again`,
  )
}

function isIterable(source: object): boolean {
  return Symbol.asyncIterator in Object(source) || Symbol.iterator in Object(source)
}

/** Rows stored in one batch, unless their texts are long. */
const MAX_ITEMS = 512
const MAX_LENGTH = 1024 * 1024

interface ImportBatch {
  items: ImportItem[]
  /** The line of each item. */
  lines: number[]
}

/** Collects rows until a batch is full. */
function createBatcher() {
  let batch: ImportBatch = { items: [], lines: [] }
  let length = 0
  return {
    add(line: number, item: ImportItem): void {
      batch.items.push(item)
      batch.lines.push(line)
      length += lengthOf(item)
    },
    isFull: (): boolean => batch.items.length >= MAX_ITEMS || length >= MAX_LENGTH,
    take(): ImportBatch {
      const taken = batch
      batch = { items: [], lines: [] }
      length = 0
      return taken
    },
  }
}

function lengthOf(item: ImportItem): number {
  if (item.kind === 'version') return item.row.state?.text.length ?? 0
  return item.kind === 'document' || item.kind === 'documentVersion' ? (item.row.text?.length ?? 0) : 0
}
