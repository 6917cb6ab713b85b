import {
  type ScanKey,
  type ScanPage,
  type ScanReads,
  type StoredRows,
  type StoredTable,
  scanKey,
} from '../port/scan.ts'

const PAGE = 1000
/** Rows that may be large: a page of them must fit in memory. */
const LARGE: Partial<Record<StoredTable, number>> = { texts: 16, documents: 256, documentVersions: 256 }

/** For one document, without texts: each page scans the keys of all its nodes, so there should be few pages. */
const NODE_PAGE = 16_384

/** In a hostile memory a key may be too large for JavaScript: the same page would repeat forever. */
function advanced(table: string, before: ScanKey, after: ScanKey): ScanKey {
  const isExact = after.every((part) => typeof part !== 'number' || Number.isSafeInteger(part))
  if (isExact && JSON.stringify(before) !== JSON.stringify(after)) return after
  throw new Error(`${table} has a row whose key is out of range`)
}

/** Every row of a table, page by page. */
export async function* pagesOf<T extends StoredTable>(
  tx: Pick<ScanReads, 'scan'>,
  table: T,
  { limit = LARGE[table] ?? PAGE, ...of }: Partial<Omit<ScanPage<T>, 'after'>> = {},
): AsyncGenerator<StoredRows[T][]> {
  let after: ScanKey = []
  for (let isMore = true; isMore; ) {
    const page = await tx.scan(table, { ...of, after, limit })
    if (page.length > 0) yield page
    const last = page.at(-1)
    isMore = last !== undefined && page.length === limit
    if (last && isMore) after = advanced(table, after, scanKey(table, last))
  }
}

export async function storedCounters(tx: Pick<ScanReads, 'scan'>): Promise<Map<string, number>> {
  const counters = new Map<string, number>()
  for await (const page of pagesOf(tx, 'counters'))
    for (const { name, value } of page) counters.set(name, Number(value))
  return counters
}

/** All nodes of a document, live or removed. */
export function nodePages(
  tx: Pick<ScanReads, 'scan'>,
  documentId: number,
): AsyncGenerator<StoredRows['nodes'][]> {
  return pagesOf(tx, 'nodes', { of: { documentId: [documentId] }, limit: NODE_PAGE })
}

/** The texts of rows, by key. A lost text is missing. */
export async function textsOf(
  tx: Pick<ScanReads, 'scan'>,
  rows: readonly { textKey: number | null }[],
): Promise<Map<number | null, StoredRows['texts']>> {
  const key = [...new Set(rows.flatMap(({ textKey }) => textKey ?? []))]
  const texts = key.length > 0 ? await tx.scan('texts', { of: { key }, limit: key.length }) : []
  return new Map(texts.map((text) => [text.key, text]))
}

/** Those that exist. */
export async function nodesByKey(
  tx: Pick<ScanReads, 'scan'>,
  key: readonly number[],
): Promise<StoredRows['nodes'][]> {
  return key.length > 0 ? tx.scan('nodes', { of: { key }, limit: key.length }) : []
}
