import type { ScannedDocument, ScannedNode, ScannedVersion, ScanReads, StoredRows } from '../port/scan.ts'
import { nodesByKey, pagesOf, textsOf } from '../rows/stored-pages.ts'

/** Nodes per read, with their texts. */
const NODE_PAGE = 256

/** Stored rows, some with the facts that they are compared with. */
export interface CheckedRows extends StoredRows {
  taggedDocuments: TaggedDocument
  nodeStates: NodeStateRow
}

export interface TaggedDocument extends ScannedDocument {
  /** The stored tags. */
  tags: { tag: string; word: string }[]
}

/** A live node with its text, and the facts that determine its mark and label. */
export interface NodeStateRow extends ScannedNode {
  /** Null for a root, and if the parent is missing. */
  parentId: string | null
  /** Of its newest version; null if it has no explicit label. */
  ownLabel: string | null
  /** Digest of its text. */
  digest: string
  text: unknown
}

type CheckedTx = Pick<ScanReads, 'scan'>

/** Every row, page by page. */
export function checkedPages<T extends keyof CheckedRows>(
  tx: CheckedTx,
  table: T,
): AsyncGenerator<CheckedRows[T][]>
export function checkedPages(
  tx: CheckedTx,
  table: keyof CheckedRows,
): AsyncGenerator<CheckedRows[keyof CheckedRows][]> {
  if (table === 'taggedDocuments') return taggedDocuments(tx)
  return table === 'nodeStates' ? nodeStates(tx) : pagesOf(tx, table)
}

export async function* taggedDocuments(tx: CheckedTx): AsyncGenerator<TaggedDocument[]> {
  for await (const page of pagesOf(tx, 'documents')) {
    const documentId = page.map(({ id }) => id)
    const tags = await tx.scan('tags', { of: { documentId }, limit: Number.MAX_SAFE_INTEGER })
    const byDocument = Map.groupBy(tags, ({ documentId }) => documentId)
    yield page.map((row) => ({ ...row, tags: byDocument.get(row.id) ?? [] }))
  }
}

export async function* nodeStates(tx: CheckedTx): AsyncGenerator<NodeStateRow[]> {
  for await (const page of pagesOf(tx, 'nodes', { limit: NODE_PAGE })) {
    const live = page.filter(({ removedIn }) => removedIn === null)
    const [texts, ids, newest] = await Promise.all([
      textsOf(tx, live),
      parentIds(tx, page),
      newestVersions(
        tx,
        live.map(({ key }) => key),
      ),
    ])
    yield live.flatMap((node) => {
      const said = texts.get(node.textKey)
      if (!said) return []
      const ownLabel = newest.get(node.key)?.label ?? null
      const parentId = ids.get(node.parentKey) ?? null
      return [{ ...node, parentId, ownLabel, digest: said.digest, text: said.text }]
    })
  }
}

/** By key, for these nodes and their parents. */
async function parentIds(tx: CheckedTx, nodes: readonly ScannedNode[]): Promise<Map<number | null, string>> {
  const ids = new Map<number | null, string>(nodes.map(({ key, id }) => [key, id]))
  const others = new Set(nodes.flatMap(({ parentKey }) => parentKey ?? []).filter((key) => !ids.has(key)))
  for (const { key, id } of await nodesByKey(tx, [...others])) ids.set(key, id)
  return ids
}

/** By node key. */
export async function newestVersions(
  tx: CheckedTx,
  nodeKey: readonly number[],
): Promise<ReadonlyMap<number, ScannedVersion>> {
  const newest = new Map<number, ScannedVersion>()
  for await (const page of pagesOf(tx, 'versions', { of: { nodeKey } }))
    for (const row of page) newest.set(row.nodeKey, row)
  return newest
}
