import {
  type ScanKey,
  type ScanReads,
  type StoredRows,
  type StoredTable,
  scanKey,
} from '../../core/port/scan.ts'
import { utf8Length } from '../../core/tokens.ts'
import { by, comparePlaces } from '../../util/text/order.ts'
import type { Sync } from '../tx.ts'
import { readText } from './documents.ts'
import { pick, rowsOf, type Tables } from './tables.ts'

/** Texts are known by their digests here: the beginning of one is a number that no other text has. */
function textKey(digest: string | null): number | null {
  return digest ? Number.parseInt(digest.slice(0, 12), 16) : null
}

const GONE = { parentKey: null, position: '', label: null, links: null, digest: null }

/** Where stored rows differ from scanned rows. */
const CONVERTED: { [T in StoredTable]?: (tables: Tables) => StoredRows[T][] } = {
  space: ({ space }) => [space],
  texts: ({ texts }) => rowsOf(texts).map((row) => ({ ...row, key: textKey(row.digest) ?? 0 })),
  documents: (tables) =>
    rowsOf(tables.documents).map((document) => {
      const { textDigest, ...row } = document
      const ownTextBytes = utf8Length(readText(tables, document) ?? '')
      return { ...row, kind: row.address.kind, isOwn: true, textKey: textKey(textDigest), ownTextBytes }
    }),
  documentVersions: ({ documentVersions }) =>
    rowsOf(documentVersions).map(({ textDigest, ...row }) => ({ ...row, textKey: textKey(textDigest) })),
  tags: ({ tags }) => [...tags].flatMap(([documentId, all]) => all.map((tag) => ({ documentId, ...tag }))),
  nodes: ({ nodes }) => rowsOf(nodes).map(({ digest, ...row }) => ({ ...row, textKey: textKey(digest) })),
  versions: ({ versions }) =>
    rowsOf(versions).map(({ key: nodeKey, snapshotId, op, state }) => {
      const { digest, ...said } = state ?? GONE
      return { nodeKey, snapshotId, op, ...said, textKey: textKey(digest) } as StoredRows['versions']
    }),
  counters: ({ counters }) => [...counters].map(([name, value]) => ({ name, value })),
}

function scanned<T extends StoredTable>(tables: Tables, table: T): StoredRows[T][] {
  return CONVERTED[table]?.(tables) ?? rowsOf(tables[table] as unknown as Map<unknown, StoredRows[T]>)
}

/** Everything a memory holds, table by table. */
export function scanReads(tables: Tables): Sync<ScanReads> {
  return {
    scan(table, { of = {}, after = [], limit }) {
      type Row = StoredRows[typeof table]
      const isOf = (row: Row): boolean =>
        Object.entries<ScanKey>(of).every(([name, values]) => values.includes(row[name as never]))
      const isAfter = (row: Row): boolean =>
        after.length === 0 || comparePlaces(scanKey(table, row), after) > 0
      const found = scanned(tables, table).filter((row) => isOf(row) && isAfter(row))
      return found.sort(by((row) => scanKey(table, row))).slice(0, limit)
    },
    scanBack(table, { since, until }, limit) {
      type Row = StoredRows[typeof table]
      const isWithin = ({ snapshotId }: Row): boolean => snapshotId > since && snapshotId <= until
      const place = (row: Row): number[] => [row.snapshotId, 'nodeKey' in row ? row.nodeKey : row.documentId]
      return scanned(tables, table).filter(isWithin).sort(by(place)).reverse().slice(0, limit)
    },
    textSizes(keys) {
      const byKey = new Map(scanned(tables, 'texts').map((row) => [row.key, row]))
      return pick(byKey, keys).map(({ key, digest, references, text }) => {
        return { key, digest, references: Number(references), bytes: utf8Length(String(text)) }
      })
    },
    countRows: (table) => scanned(tables, table).length,
  }
}
