import {
  type ScanKey,
  type ScanReads,
  type StoredRows,
  type StoredTable,
  scanKey,
} from '../../core/port/scan.ts'
import { by, comparePlaces } from '../../util/order.ts'
import type { Sync } from '../tx.ts'
import { spaceOf, type Tables } from './tables.ts'

/** Texts are known by their digests here: the beginning of one is a number that no other text has. */
function textKey(digest: string | null): number | null {
  return digest ? Number.parseInt(digest.slice(0, 12), 16) : null
}

const GONE = { parentKey: null, position: '', label: null, links: null, digest: null }

const SCANS: { [T in StoredTable]: (tables: Tables) => StoredRows[T][] } = {
  space: (tables) => [spaceOf(tables)],
  snapshots: ({ snapshots }) => [...snapshots.values()],
  texts: ({ texts }) =>
    [...texts].map(([digest, { text, refs: references }]) => {
      return { key: textKey(digest) ?? 0, digest, references, text }
    }),
  documents: ({ documents }) =>
    [...documents.values()].map(({ textDigest, ...row }) => {
      return { ...row, kind: row.address.kind, isOwn: true, textKey: textKey(textDigest) }
    }),
  documentVersions: ({ documentVersions }) =>
    [...documentVersions.values()]
      .flat()
      .map(({ textDigest, ...row }) => ({ ...row, textKey: textKey(textDigest) })),
  tags: ({ tags }) => [...tags].flatMap(([documentId, all]) => all.map((tag) => ({ documentId, ...tag }))),
  nodes: ({ nodes }) =>
    [...nodes.values()].map(({ digest, ...row }) => ({ ...row, textKey: textKey(digest) })),
  versions: ({ versions }) =>
    [...versions.values()].flat().map(({ key: nodeKey, snapshotId, op, state }) => {
      const { digest, ...said } = state ?? GONE
      return { nodeKey, snapshotId, op, ...said, textKey: textKey(digest) } as StoredRows['versions']
    }),
  heat: ({ heat }) => [...heat.values()],
  links: ({ links }) => [...links.values()],
  overlays: ({ overlays }) => [...overlays].map(([nodeKey, overlay]) => ({ nodeKey, ...overlay })),
  counters: ({ counters }) => [...counters].map(([name, value]) => ({ name, value })),
  doorCounts: ({ doorCounts }) => [...doorCounts.values()],
  tagCounts: ({ tagCounts }) => [...tagCounts.values()],
  fileFacts: ({ files }) => [...files.values()],
  leases: ({ leases }) => [...leases.values()],
}

/** Everything a memory holds, table by table. */
export function scanReads(tables: Tables): Sync<ScanReads> {
  return {
    scan(table, { of = {}, after = [], limit }) {
      type Row = StoredRows[typeof table]
      const wanted = Object.entries<ScanKey>(of).map(([name, values]) => [name, new Set(values)] as const)
      const isOf = (row: Row): boolean => wanted.every(([name, values]) => values.has(row[name as never]))
      const isAfter = (row: Row): boolean =>
        after.length === 0 || comparePlaces(scanKey(table, row), after) > 0
      const found = SCANS[table](tables).filter((row) => isOf(row) && isAfter(row))
      return found.sort(by((row) => scanKey(table, row))).slice(0, limit)
    },
    countRows: (table) => SCANS[table](tables).length,
  }
}
