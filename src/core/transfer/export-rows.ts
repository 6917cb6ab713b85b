import type { NumberSet } from '../../util/number-set.ts'
import { MemoryError } from '../errors.ts'
import type { DocumentKind } from '../model.ts'
import type { DocumentMove } from '../port/history.ts'
import type {
  ScannedDocument,
  ScannedDocumentVersion,
  ScannedNode,
  ScannedText,
  ScannedVersion,
  ScanReads,
  StoredRows,
} from '../port/scan.ts'
import { pagesOf } from '../rows/stored-pages.ts'
import type {
  TransferDocument,
  TransferDocumentVersion,
  TransferMove,
  TransferNode,
  TransferVersion,
} from './transfer-rows.ts'

/** Stored rows in the form of an export. */

/** By key. */
type Texts = ReadonlyMap<number | null, ScannedText>

function textOf(texts: Texts, key: number | null): string | null {
  return (texts.get(key)?.text ?? null) as string | null
}

function requireReadable<T>(value: T | undefined): T {
  if (value !== undefined) return value
  throw new MemoryError(
    'CORRUPTED_DATA',
    'a document cannot be read; nothing was exported. Run `remindb doctor`',
  )
}

export function exportedDocument(
  row: ScannedDocument,
  texts: Texts,
  moves: readonly DocumentMove[],
): TransferDocument {
  const { id, state, digest, textKey, revision, createdAt, updatedAt, appended } = row
  const attributes = requireReadable(row.attributes)
  const [accesses, accessedAt] = [row.accesses as number, row.accessedAt as number | null]
  const door = attributes && { attributes, appended, accesses, accessedAt }
  const text = textOf(texts, textKey)
  return {
    id,
    address: requireReadable(row.address),
    state,
    digest,
    text,
    revision,
    createdAt,
    updatedAt,
    door,
    moves: moves.length === 0 ? null : moves.map(exportedMove),
  }
}

function exportedMove({ snapshotId, collection: root, name: path }: DocumentMove): TransferMove {
  return { snapshotId, root, path }
}

export function exportedDocumentVersion(
  row: ScannedDocumentVersion,
  kind: DocumentKind,
  texts: Texts,
): TransferDocumentVersion {
  const { documentId, snapshotId, state, digest, textKey, lead, trail } = row
  const door = kind === 'note' ? null : { attributes: requireReadable(row.attributes), lead, trail }
  return { documentId, snapshotId, state, digest, text: textOf(texts, textKey), door }
}

/** With their versions, heat and links. A node that has lost its heat is left out. */
export async function exportedNodes(
  tx: Pick<ScanReads, 'scan'>,
  nodes: readonly ScannedNode[],
): Promise<TransferNode[]> {
  const keys = nodes.map(({ key }) => key)
  const [heat, overlays, links] = await Promise.all([
    tx.scan('heat', { of: { key: keys }, limit: keys.length }),
    tx.scan('overlays', { of: { nodeKey: keys }, limit: keys.length }),
    manualLinks(tx, keys),
  ])
  const heatByKey = new Map(heat.map((row) => [row.key, row]))
  const overlaysByKey = new Map(overlays.map(({ nodeKey, ...overlay }) => [nodeKey, overlay]))
  const linksByKey = Map.groupBy(links, ({ sourceKey }) => sourceKey)
  return nodes.flatMap(({ key, id, documentId, parentKey, removedIn, type, format }) => {
    const own = heatByKey.get(key)
    if (!own) return []
    const removed = removedIn === null ? null : { in: removedIn, type, format }
    const made = (linksByKey.get(key) ?? []).map(exportedLink)
    const overlay = overlaysByKey.get(key) ?? null
    return [{ key, id, documentId, parentKey, removed, heat: exportedHeat(own), overlay, links: made }]
  })
}

/** In order of creation. */
async function manualLinks(
  tx: Pick<ScanReads, 'scan'>,
  sourceKey: readonly number[],
): Promise<StoredRows['links'][]> {
  const found: StoredRows['links'][] = []
  for await (const page of pagesOf(tx, 'links', { of: { sourceKey } }))
    found.push(...page.filter(({ origin }) => origin === 'manual'))
  return found.sort((a, b) => a.place - b.place)
}

function exportedHeat({ value, clock, pinned, accesses, accessedAt, told }: StoredRows['heat']) {
  return { value: value as number, clock: clock as number, pinned, accesses, accessedAt, told }
}

function exportedLink({ label, weight, source, wantedId: id, createdAt }: StoredRows['links']) {
  return { label, weight, source, id, createdAt }
}

/** `known`: its parent, if that exists. */
export function exportedVersion(
  row: ScannedVersion,
  texts: Texts,
  known: Pick<NumberSet, 'has'>,
): TransferVersion {
  const { nodeKey, snapshotId, op, textKey, position, type, format, label, links } = row
  if (textKey === null) return { nodeKey, snapshotId, op, state: null }
  const parentKey = known.has(row.parentKey ?? 0) ? row.parentKey : null
  const text = textOf(texts, textKey) ?? ''
  return { nodeKey, snapshotId, op, state: { parentKey, position, type, format, label, links, text } }
}
