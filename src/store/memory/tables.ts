import type { AuditEntry, AuditHead } from '../../core/port/audit.ts'
import type { FileFacts } from '../../core/port/file-facts.ts'
import type { HeatRecord } from '../../core/port/heat.ts'
import type { CheckpointRow, DocumentMove } from '../../core/port/history.ts'
import type { LeaseRow } from '../../core/port/leases.ts'
import type { StoredLink } from '../../core/port/links.ts'
import { isLive, type NodeRow, type SnapshotRow } from '../../core/port/rows.ts'
import type { ScannedSpace } from '../../core/port/scan.ts'
import type { StoredDocument } from '../../core/port/stored.ts'
import type * as rows from '../../core/port/write-set.ts'
import { countNode } from '../../core/rows/counters.ts'
import { fitsQuery } from '../../core/rows/document-query.ts'

/** What belongs to a memory as a whole. */
interface Space extends ScannedSpace {
  home: string | null
  digest: bigint
}

/** Everything that is stored. Rows are never changed, only replaced. */
export type Tables = ReturnType<typeof emptyTables>

/** Rows without a number have a key made by `keyOf` of their unique fields. */
export function emptyTables(now: number) {
  const heat = { clock: 0, tickedAt: now, frozen: false, coldBelow: 0 }
  const space: Space = { home: null, headId: null, digest: 0n, heat }
  return {
    space,
    snapshots: new Map<number, SnapshotRow>(),
    documents: new Map<number, StoredDocument>(),
    documentVersions: new Map<string, rows.DocumentVersionWrite>(),
    moves: new Map<string, DocumentMove>(),
    checkpoints: new Map<string, CheckpointRow>(),
    documentNames: new Map<string, rows.DocumentName>(),
    nodes: new Map<number, NodeRow>(),
    versions: new Map<string, rows.VersionPut>(),
    texts: new Map<string, { digest: string; text: string; references: number }>(),
    heat: new Map<number, HeatRecord>(),
    overlays: new Map<number, rows.OverlayPut>(),
    fileFacts: new Map<string, FileFacts & { root: string }>(),
    leases: new Map<string, LeaseRow>(),
    counters: new Map<string, number>(),
    doorCounts: new Map<string, rows.DoorCount>(),
    tagCounts: new Map<string, rows.TagCount>(),
    userCounts: new Map<string, rows.UserCount>(),
    /** By document: what it is found by. */
    tags: new Map<number, readonly { tag: string; word: string }[]>(),
    links: new Map<number, StoredLink>(),
    audit: new Map<number, AuditEntry>(),
    auditHead: new Map<'head', AuditHead>(),
  }
}

export function keyOf(...parts: readonly unknown[]): string {
  return JSON.stringify(parts)
}

/** Those that are there, in the order of their keys in the list. */
export function pick<K, R>(table: ReadonlyMap<K, R>, keys: Iterable<K>): R[] {
  return [...keys].flatMap((key) => table.get(key) ?? [])
}

export function keysIn(rows: readonly { key: number }[]): number[] {
  return rows.map(({ key }) => key)
}

/** The rows that fit. */
export function rowsOf<R>(table: ReadonlyMap<unknown, R>, fits: (row: R) => boolean = () => true): R[] {
  return [...table.values()].filter(fits)
}

/** To be changed, while others still read the original. */
export function copyOf({ space, ...tables }: Tables): Tables {
  const copies = Object.entries(tables).map(([name, table]) => [name, new Map<unknown, unknown>(table)])
  return { space, ...Object.fromEntries(copies) }
}

/** Whether a copy is unchanged. */
export function isSame({ space, ...tables }: Tables, { space: after, ...copies }: Tables): boolean {
  const contentOf = (maps: object): unknown[] => Object.values(maps).flatMap((map) => [...map].flat())
  const [before, now] = [contentOf(tables), contentOf(copies)]
  return space === after && before.length === now.length && before.every((one, at) => one === now[at])
}

export function removeRows<R>(table: Map<unknown, R>, isGone: (row: R) => boolean): void {
  for (const [key, row] of table) if (isGone(row)) table.delete(key)
}

/** With all that belongs to them. */
export function removeNodes({ nodes, heat, versions, links }: Tables, keys: Iterable<number>): void {
  const gone = new Set(keys)
  for (const key of gone) for (const table of [nodes, heat]) table.delete(key)
  removeRows(versions, ({ key }) => gone.has(key))
  removeRows(links, ({ sourceKey, targetKey }) => gone.has(sourceKey) || gone.has(targetKey ?? 0))
}

/** The same tables without the nodes of keys that have expired and are not removed yet. */
export function withoutExpired(stored: Tables, now: number): Tables {
  const keys = rowsOf(stored.documents, (one) => fitsQuery(one, { kind: 'key', expiredAt: now }))
  const expired = new Set(keys.map(({ id }) => id))
  if (expired.size === 0) return stored
  const tables = copyOf(stored)
  const hidden = rowsOf(stored.nodes, (node) => isLive(node) && expired.has(node.documentId))
  for (const node of hidden) countNode(tables.counters, node, -1)
  removeNodes(tables, keysIn(hidden))
  return tables
}
