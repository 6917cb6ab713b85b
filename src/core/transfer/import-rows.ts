import { contentDigest } from '../../util/text/hash.ts'
import { type Hash64, nodeMark } from '../digest.ts'
import { countLinks } from '../links/counts.ts'
import { newLink, withSleep } from '../links/text-links.ts'
import { linksByKey } from '../links/wanted.ts'
import type { CheckpointRow, DocumentMove } from '../port/history.ts'
import type { StoredLink } from '../port/links.ts'
import type { NodeRow, SnapshotRow } from '../port/rows.ts'
import type { StoredDocument } from '../port/stored.ts'
import type {
  DocumentVersionWrite,
  DocumentWrite,
  HeatPut,
  IndexChange,
  NodePut,
  OverlayPut,
  VersionPut,
  WriteSet,
} from '../port/write-set.ts'
import { coldnessOf } from '../rows/coldness.ts'
import { countNode } from '../rows/counters.ts'
import { bytesOf } from '../rows/documents.ts'
import { doorCounts, tagRows } from '../rows/door-counts.ts'
import { nameOf, textReferences } from '../rows/node-writes.ts'
import type { ImportItem, ImportNode } from './import-items.ts'
import type { TransferDocument, TransferDocumentVersion, TransferVersion } from './transfer-rows.ts'

/** The rows of an import. */
export interface ImportedRows {
  set: WriteSet
  /** The sum of the marks of its live nodes. */
  digest: bigint
  /** Live nodes without a mark, since their parents are still to come: by key, with their explicit label, if any. */
  unmarked: Map<number, string | null>
}

/** Facts about rows that came before. */
export interface ImportFacts {
  hash: Hash64
  /** Ids of all nodes among the items, and of their parents that came before, by key. */
  ids: ReadonlyMap<number, string>
  /** The first unused link id. */
  nextLinkId: number
}

export function importedRows(items: readonly ImportItem[], facts: ImportFacts): ImportedRows {
  const snapshots: SnapshotRow[] = []
  const checkpoints: CheckpointRow[] = []
  const moves: DocumentMove[] = []
  const documents: DocumentWrite[] = []
  const documentVersions: DocumentVersionWrite[] = []
  const versions: VersionPut[] = []
  const texts = textReferences()
  const arrivals = arrivingNodes(facts)
  for (const item of items) {
    if (item.kind === 'snapshot') {
      const { checkpoints: names, ...row } = item.row
      snapshots.push(row)
      for (const name of names ?? []) checkpoints.push({ ...name, snapshotId: row.id })
    } else if (item.kind === 'document') {
      const after = storedDocument(item.row)
      for (const { snapshotId, root: collection, path: name } of item.row.moves ?? [])
        moves.push({ documentId: after.id, snapshotId, collection, name })
      documents.push({ before: null, after })
      if (after.textDigest !== null) texts.add(after.textDigest, item.row.text)
    } else if (item.kind === 'documentVersion') {
      const version = documentVersion(item.row)
      documentVersions.push(version)
      if (version.textDigest !== null) texts.add(version.textDigest, item.row.text)
    } else if (item.kind === 'version') {
      versions.push(versionPut(item.row, item.digest))
      if (item.digest !== null) texts.add(item.digest, item.row.state?.text ?? null)
    } else arrivals.add(item.row)
  }
  const { set, ...more } = arrivals.take()
  const rows = {
    ...{ snapshots, documents, texts: texts.list() },
    documentVersions: { put: documentVersions, remove: [] },
    moves: { put: moves, remove: [] },
    checkpoints: { put: checkpoints, remove: [] },
    versions: { put: versions, remove: [] },
  }
  return { set: { ...rows, tags: tagsOfAll(documents), ...doorCounts(documents), ...set }, ...more }
}

/** Nodes, with their counts, index words and heat. */
function arrivingNodes({ hash, ids, nextLinkId }: ImportFacts) {
  const nodes: NodePut[] = []
  const heat: HeatPut[] = []
  const index: IndexChange[] = []
  const overlays: OverlayPut[] = []
  const links: StoredLink[] = []
  const counters = new Map<string, number>()
  const unmarked = new Map<number, string | null>()
  let digest = 0n

  function markOf({ id, parentKey, current }: ImportNode): bigint | null {
    const parentId = parentKey === null ? null : ids.get(parentKey)
    return current && parentId !== undefined ? nodeMark(hash, id, parentId, current.state) : null
  }
  return {
    add(row: ImportNode): void {
      const { key, overlay, current } = row
      const after = storedNode(row, markOf(row))
      nodes.push({ before: null, after })
      heat.push(heatOf(row))
      if (overlay) overlays.push({ nodeKey: key, ...overlay })
      const made = manualLinks(row, nextLinkId + links.length)
      links.push(...made)
      countLinks(counters, made, 1)
      if (!current) return
      index.push({ key, before: null, after: current.words })
      digest += countNode(counters, after, 1)
      if (after.mark === null) unmarked.set(key, current.state.label)
    },
    take: () => ({
      set: {
        nodes,
        heat,
        index,
        overlays: { put: overlays, remove: [] },
        links: { put: links, remove: [] },
        counters,
      },
      ...{ digest, unmarked },
    }),
  }
}

function storedDocument({ text, door, moves: _, ...row }: TransferDocument): StoredDocument {
  const { attributes = null, appended = false, accesses = 0, accessedAt = null } = door ?? {}
  return {
    ...row,
    textDigest: text === null ? null : contentDigest(text),
    textBytes: bytesOf(text),
    // Users are those of one server.
    userId: null,
    ...{ attributes, appended, accesses: accessedAt === null ? 0 : accesses, accessedAt },
  }
}

/** Removed documents have no tags. */
function tagsOfAll(documents: readonly DocumentWrite[]): NonNullable<WriteSet['tags']> {
  return documents
    .filter(({ after }) => after.state !== 'removed' && after.attributes?.tags)
    .map(({ after: { id: documentId, attributes } }) => ({ documentId, tags: tagRows(attributes) }))
}

function documentVersion({ text, door, ...row }: TransferDocumentVersion): DocumentVersionWrite {
  const { attributes = null, lead = null, trail = null } = door ?? {}
  const textDigest = text === null ? null : contentDigest(text)
  return { ...row, textDigest, attributes, lead, trail }
}

function versionPut(
  { nodeKey: key, snapshotId, op, state }: TransferVersion,
  digest: string | null,
): VersionPut {
  if (!state || digest === null) return { key, snapshotId, op, state: null }
  const { text: _, ...said } = state
  return { key, snapshotId, op, state: { ...said, digest } }
}

function storedNode(row: ImportNode, mark: bigint | null): NodeRow {
  const { key, id, documentId, parentKey, current, removed } = row
  if (!current) {
    const { type = 'text', format = 'plain', in: removedIn = null } = removed ?? {}
    return { key, id, documentId, type, format, ...NO_CONTENT, removedIn }
  }
  const { label, tokens, state } = current
  const { position, type, format, digest, links } = state
  const place = { key, id, documentId, parentKey, position, type, format }
  return { ...place, label, name: nameOf(type, label), tokens, digest, links, mark, removedIn: null }
}

const NO_CONTENT = {
  ...{ parentKey: null, position: '', label: '', name: null, tokens: 0 },
  ...{ digest: '', links: null, mark: null },
}

function heatOf({ key, removed, heat }: ImportNode): HeatPut {
  const cools = removed === null && !heat.pinned
  return { key, isNew: true, ...heat, coldness: cools ? coldnessOf(heat.value, heat.clock) : null }
}

/** Links that differed only in redacted text become one. Targets are resolved after all nodes are stored. */
function manualLinks(node: ImportNode, firstId: number): StoredLink[] {
  return [...linksByKey(node.links).values()].map(({ link, place }, at) => {
    const row = newLink(node, 'manual', { link, place, at: link.createdAt })
    return withSleep({ ...row, id: firstId + at }, node.removed !== null)
  })
}
