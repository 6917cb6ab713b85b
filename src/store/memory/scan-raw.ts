import type { RawRows } from '../../core/port/raw-rows.ts'
import type { Place } from '../../util/order.ts'
import { liveNodes, textOf } from './nodes.ts'
import { pick, spaceOf, type Tables } from './tables.ts'

type Scans = { [T in keyof RawRows]: (tables: Tables) => [key: readonly Place[], row: RawRows[T]][] }

/** Texts are known by their digests here: the beginning of one is a number that no other text has. */
function textKey(digest: string | null | undefined): number | null {
  return digest ? Number.parseInt(digest.slice(0, 12), 16) : null
}
const hex = (digest: bigint): string => digest.toString(16).padStart(16, '0')
const json = (attributes: object | null): string | null => attributes && JSON.stringify(attributes)
const GONE = {
  parentKey: null,
  position: null,
  type: null,
  format: null,
  label: null,
  links: null,
  digest: null,
}

/** Rows as doctor compares them. */
export const RAW_SCANS: Scans = {
  space(tables) {
    const { headId, digest, heat } = spaceOf(tables)
    return [[[1], { headId, digest: hex(digest), heat }]]
  },
  texts: ({ texts }) =>
    [...texts].map(([digest, { text, refs: references }]) => {
      const key = textKey(digest) ?? 0
      return [[key], { key, digest, references, text }]
    }),
  nodeRows: ({ nodes }) =>
    [...nodes].map(([key, { parentKey, type, tokens, digest, removedIn }]) => [
      [key],
      { key, parentKey, type, tokens, textKey: textKey(digest), removedIn },
    ]),
  nodeStates: (tables) =>
    liveNodes(tables).flatMap((node) => {
      const { key, id, parentKey, position, type, format, links, digest, label, mark } = node
      const text = textOf(tables, digest)
      if (text === null) return []
      const parentId = tables.nodes.get(parentKey ?? 0)?.id ?? null
      const ownLabel = tables.versions.get(key)?.at(-1)?.state?.label ?? null
      const said = { position, type, format, links, ownLabel, digest, text, label }
      return [[[key], { key, id, parentId, ...said, mark: hex(mark ?? 0n) }]]
    }),
  versionRows: ({ versions }) =>
    [...versions.values()].flat().map(({ key: nodeKey, snapshotId, op, state }) => {
      const { digest, ...said } = state ?? (GONE as unknown as NonNullable<typeof state>)
      return [[nodeKey, snapshotId], { nodeKey, snapshotId, op, ...said, textKey: textKey(digest) }]
    }),
  heat: ({ heat }) =>
    [...heat].map(([key, row]) => [[key], { ...row, pinned: Number(row.pinned), told: Number(row.told) }]),
  linkRows: ({ links }) =>
    [...links].map(([id, { sourceKey, origin, targetKey, asleep }]) => [
      [sourceKey, id],
      { id, sourceKey, origin, targetKey, asleep: Number(asleep) },
    ]),
  documentRows: ({ documents, tags }) =>
    [...documents].map(([id, { address, state, digest, textDigest, textBytes, ...rest }]) => {
      const { attributes, appended, accesses, accessedAt } = rest
      const file = address.kind === 'source' ? { root: address.root, path: address.path } : null
      const facts = { textKey: textKey(textDigest), textBytes, hasDigest: digest !== null, file }
      const counts = { appended: Number(appended), accesses, accessedAt, tags: pick(tags, [id]).flat() }
      return [
        [id],
        { id, kind: address.kind, isOwn: true, state, ...facts, attributes: json(attributes), ...counts },
      ]
    }),
  documentVersionRows: ({ documentVersions }) =>
    [...documentVersions.values()].flat().map((version) => {
      const { documentId, snapshotId, state, textDigest, attributes, lead, trail } = version
      const said = { textKey: textKey(textDigest), attributes: json(attributes), lead, trail }
      return [[documentId, snapshotId], { documentId, snapshotId, state, ...said }]
    }),
  counters: ({ counters }) => [...counters].map(([name, value]) => [[name], { name, value }]),
  doorCounts: ({ doorCounts }) =>
    [...doorCounts.values()].map((row) => {
      const { kind, state, archived, type, importance, status } = row
      return [[kind, state, archived, type, importance, status], row]
    }),
  tagCounts: ({ tagCounts }) => [...tagCounts.values()].map((row) => [[row.kind, row.tag], row]),
  fileFacts: ({ files }) =>
    [...files.values()].map(({ root, path, sizeBytes: size, failure, ...facts }) => {
      const { modifiedAt, changedAt, scannedAt, digest } = facts
      const { line, reason } = failure ?? { line: null, reason: null }
      return [[root, path], { root, path, size, modifiedAt, changedAt, scannedAt, digest, line, reason }]
    }),
  leases: ({ leases }) => [...leases].map(([name, lease]) => [[name], { name, ...lease }]),
}
