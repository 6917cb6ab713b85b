import type { HeatRecord } from '../../core/port/heat.ts'
import type { ScanReads, StoredRows, StoredTable } from '../../core/port/scan.ts'
import type { ManualLink } from '../../core/port/transfer.ts'
import { by, comparePlaces, type Place } from '../../util/order.ts'
import type { Sync } from '../tx.ts'
import { textOf } from './nodes.ts'
import { RAW_SCANS } from './scan-raw.ts'
import type { Tables } from './tables.ts'

/** A row with its key, which begins with what it belongs to. */
type Scanned<T extends StoredTable> = [key: readonly Place[], row: StoredRows[T]]
type Scans = { [T in StoredTable]: (tables: Tables) => Scanned<T>[] }

const SCANS: Scans = {
  ...RAW_SCANS,
  snapshots: ({ snapshots }) => [...snapshots].map(([id, row]) => [[id], row]),
  documents: (tables) =>
    [...tables.documents].map(([id, document]) => {
      const { textDigest, textBytes: _, attributes, appended, accesses, accessedAt, ...rest } = document
      const door = attributes && { attributes, appended, accesses, accessedAt }
      return [[id], { ...rest, text: textOf(tables, textDigest), door }]
    }),
  documentVersions: (tables) =>
    [...tables.documentVersions.values()].flat().map((version) => {
      const { documentId, snapshotId, state, digest, textDigest, attributes, lead, trail } = version
      const isNote = tables.documents.get(documentId)?.address.kind === 'note'
      const door = isNote ? null : { attributes, lead, trail }
      const text = textOf(tables, textDigest)
      return [[documentId, snapshotId], { documentId, snapshotId, state, digest, text, door }]
    }),
  members: ({ nodes }) => [...nodes].map(([key, { documentId }]) => [[documentId, key], { documentId, key }]),
  nodes: (tables) =>
    [...tables.nodes].map(([key, { id, documentId, parentKey, removedIn, type, format }]) => {
      const { key: _, coldness: __, ...heat } = tables.heat.get(key) as HeatRecord
      const removed = removedIn === null ? null : { in: removedIn, type, format }
      const overlay = tables.overlays.get(key) ?? null
      return [
        [key],
        { key, id, documentId, parentKey, removed, heat, overlay, links: madeByHand(tables, key) },
      ]
    }),
  versions: (tables) =>
    [...tables.versions.values()].flat().map(({ key: nodeKey, snapshotId, op, state: then }) => {
      if (!then) return [[nodeKey, snapshotId], { nodeKey, snapshotId, op, state: null }]
      const { digest, ...said } = then
      const parentKey = tables.nodes.has(then.parentKey ?? 0) ? then.parentKey : null
      const state = { ...said, parentKey, text: textOf(tables, digest) ?? '' }
      return [[nodeKey, snapshotId], { nodeKey, snapshotId, op, state }]
    }),
}

function madeByHand({ links }: Tables, key: number): ManualLink[] {
  const own = [...links.values()].filter(({ sourceKey, origin }) => sourceKey === key && origin === 'manual')
  return own
    .sort(by(({ place }) => [place]))
    .map(({ label, weight, source, wantedId: id, createdAt }) => ({ label, weight, source, id, createdAt }))
}

/** Everything a memory holds, table by table. */
export function scanReads(tables: Tables): Sync<ScanReads> {
  return {
    scan(table, { of, after = [], limit }) {
      const wanted = of && new Set(of)
      const all = SCANS[table](tables) as Scanned<typeof table>[]
      const found = all.filter(
        ([key]) => comparePlaces(key, after) > 0 && (wanted?.has(Number(key[0])) ?? true),
      )
      const page = found.sort(by(([key]) => key)).slice(0, limit)
      return page.map(([, row]) => row)
    },
    countRows: (table) => (table === 'overlays' ? tables.overlays.size : SCANS[table](tables).length),
  }
}
