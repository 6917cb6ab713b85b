import { expiryOf } from '../../core/document-query.ts'
import type { IndexRow } from '../../core/find/index-row.ts'
import type { FileFacts } from '../../core/port/file-facts.ts'
import type { HeatClock, HeatRecord } from '../../core/port/heat.ts'
import type { LeaseRow } from '../../core/port/leases.ts'
import type { StoredLink } from '../../core/port/links.ts'
import type { NodeRow, Overlay, SnapshotRow } from '../../core/port/rows.ts'
import type { StoredDocument } from '../../core/port/stored.ts'
import type {
  DocumentName,
  DocumentVersionWrite,
  DoorCount,
  TagCount,
  VersionPut,
} from '../../core/port/write-set.ts'
import { countNode } from '../../core/write/counters.ts'

/** What belongs to a memory as a whole. */
export interface Space {
  home: string | null
  headId: number | null
  /** Of the newest snapshot there ever was. */
  lastSnapshotId: number
  digest: bigint
  heat: HeatClock
}

/** Everything that is stored. Rows are never changed, only replaced. */
export interface Tables {
  space: Map<'space', Space>
  snapshots: Map<number, SnapshotRow>
  documents: Map<number, StoredDocument>
  /** By document, oldest first. */
  documentVersions: Map<number, readonly DocumentVersionWrite[]>
  nodes: Map<number, NodeRow>
  /** By node, oldest first. */
  versions: Map<number, readonly VersionPut[]>
  texts: Map<string, { text: string; refs: number }>
  index: Map<number, IndexRow>
  heat: Map<number, HeatRecord>
  overlays: Map<number, Overlay>
  /** By `fileKey`. */
  files: Map<string, FileFacts & { root: string }>
  leases: Map<string, LeaseRow>
  counters: Map<string, number>
  /** By what they count. */
  doorCounts: Map<string, DoorCount>
  tagCounts: Map<string, TagCount>
  /** By document: what it is found by. */
  tags: Map<number, readonly { tag: string; word: string }[]>
  links: Map<number, StoredLink>
  /** By document and name. */
  documentNames: Map<string, DocumentName>
}
type TableName = keyof Tables
type KeyOf<N extends TableName> = Tables[N] extends Map<infer K, unknown> ? K : never
type RowOf<N extends TableName> = Tables[N] extends Map<unknown, infer R> ? R : never

export function emptyTables(now: number): Tables {
  const heat = { clock: 0, tickedAt: now, frozen: false, coldBelow: 0 }
  const space = { home: null, headId: null, lastSnapshotId: 0, digest: 0n, heat }
  return {
    ...{ space: new Map([['space', space]]), snapshots: new Map(), documents: new Map(), nodes: new Map() },
    ...{ documentVersions: new Map(), versions: new Map(), texts: new Map(), index: new Map() },
    ...{ heat: new Map(), overlays: new Map(), files: new Map(), leases: new Map(), counters: new Map() },
    ...{ doorCounts: new Map(), tagCounts: new Map(), tags: new Map(), links: new Map() },
    documentNames: new Map(),
  }
}

export function spaceOf(tables: Tables): Space {
  return tables.space.get('space') as Space
}

export function headOf(tables: Tables): SnapshotRow | undefined {
  return tables.snapshots.get(spaceOf(tables).headId ?? 0)
}

/** Those that are there, in the order of their keys in the list. */
export function pick<K, R>(table: ReadonlyMap<K, R>, keys: Iterable<K>): R[] {
  return [...keys].flatMap((key) => table.get(key) ?? [])
}

/** The same tables, to be changed: one that is written to is copied first, so nobody else sees it. */
export function draftOf(stored: Tables) {
  const tables = { ...stored }
  const changed = new Set<TableName>()
  function copied<N extends TableName>(name: N): Map<KeyOf<N>, RowOf<N>> {
    if (!changed.has(name)) tables[name] = new Map(stored[name] as Map<never, never>) as Tables[N]
    changed.add(name)
    return tables[name] as unknown as Map<KeyOf<N>, RowOf<N>>
  }
  return {
    tables,
    changed: changed as ReadonlySet<TableName>,
    put<N extends TableName>(name: N, key: KeyOf<N>, row: RowOf<N>): void {
      copied(name).set(key, row)
    },
    remove<N extends TableName>(name: N, key: KeyOf<N>): void {
      if ((tables[name] as Map<unknown, unknown>).has(key)) copied(name).delete(key)
    },
    setSpace(change: Partial<Space>): void {
      copied('space').set('space', { ...spaceOf(tables), ...change })
    },
  }
}
export type Draft = ReturnType<typeof draftOf>

/** The same tables without the nodes of keys that have expired and that nobody has removed yet. */
export function withoutExpired(tables: Tables, now: number): Tables {
  const isExpired = (document: StoredDocument | undefined): boolean =>
    document?.address.kind === 'key' && document.state === 'live' && (expiryOf(document) ?? Infinity) <= now
  if (![...tables.documents.values()].some(isExpired)) return tables
  const isHidden = ({ documentId, removedIn }: NodeRow): boolean =>
    removedIn === null && isExpired(tables.documents.get(documentId))
  const hidden = new Map([...tables.nodes].filter(([, node]) => isHidden(node)))
  const counters = new Map(tables.counters)
  for (const node of hidden.values()) countNode(counters, node, -1)
  const shown = <R>(table: Map<number, R>) => new Map([...table].filter(([key]) => !hidden.has(key)))
  const { nodes, versions, index, heat } = tables
  const left = { nodes: shown(nodes), versions: shown(versions), index: shown(index), heat: shown(heat) }
  const isJoined = ({ sourceKey, targetKey }: StoredLink): boolean =>
    hidden.has(sourceKey) || hidden.has(targetKey ?? 0)
  const links = new Map([...tables.links].filter(([, link]) => !isJoined(link)))
  return { ...tables, ...left, links, counters }
}
