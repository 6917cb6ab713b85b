import { indexRow } from '../../core/find/index-row.ts'
import { INDEX_CHECK } from '../../core/port/store.ts'
import type * as port from '../../core/port/write-set.ts'
import { addTo } from '../../core/write/counters.ts'
import { given } from '../../util/given.ts'
import { textOf } from './nodes.ts'
import { keyOf, removeNodes, removeRows, rowsOf, type Tables } from './tables.ts'

/** Stores sets of rows as they come. What follows from them was decided before. */
export function commits(tables: Tables) {
  const kinds = new Set<string>()
  return {
    /** The kinds of change to report to subscribers. */
    kinds,
    engineHeal(check: string): void {
      if (check !== INDEX_CHECK) return
      tables.index.clear()
      for (const { key, digest, type, label } of tables.nodes.values()) {
        const text = textOf(tables, digest)
        if (text !== null) tables.index.set(key, indexRow({ type, label, text }))
      }
    },
    commit(set: port.WriteSet): void {
      putSpace(tables, set)
      if (set.erase) erase(tables, set.erase)
      if (set.drop) drop(tables, set.drop)
      for (const reference of set.texts ?? []) refer(tables, reference)
      putDocuments(tables, set)
      putNodes(tables, set)
      putOthers(tables, set)
      putCounts(tables, set)
      for (const kind of [...(set.snapshot ? [set.snapshot.row.operation] : []), ...(set.changes ?? [])])
        kinds.add(kind)
    },
  }
}

function putSpace(tables: Tables, { snapshot, snapshots = [], state, home, heatClock }: port.WriteSet): void {
  for (const row of snapshot ? [snapshot.row, ...snapshots] : snapshots) tables.snapshots.set(row.id, row)
  const head = snapshot && { headId: snapshot.row.id, digest: snapshot.digest }
  const change = given({ ...head, ...state, home, heat: heatClock })
  if (Object.keys(change).length > 0) tables.space = { ...tables.space, ...change }
}

function erase(tables: Tables, { document, nodes }: port.Erasure): void {
  const keys = new Set(nodes)
  removeRows(tables.versions, ({ key }) => keys.has(key))
  removeRows(tables.documentVersions, ({ documentId }) => documentId === document)
}

function drop(tables: Tables, { after, before, nodes }: port.HistoryDrop): void {
  removeRows(tables.versions, ({ snapshotId }) => snapshotId > after)
  removeRows(tables.documentVersions, ({ snapshotId }) => snapshotId > after)
  removeRows(tables.snapshots, ({ id }) => id > after && id < before)
  removeNodes(tables, nodes)
}

function refer({ texts }: Tables, { digest, text, by }: port.TextReferences): void {
  const known = texts.get(digest)
  const said = known?.text ?? text
  if (said === null) throw notStored()
  const refs = (known?.refs ?? 0) + by
  if (refs > 0) texts.set(digest, { text: said.toWellFormed(), refs })
  else texts.delete(digest)
}

function checkText({ texts }: Tables, digest: string | null): void {
  if (digest && !texts.has(digest)) throw notStored()
}

function notStored(): Error {
  return new Error('a text was referred to by a digest that is not stored')
}

function putDocuments(tables: Tables, set: port.WriteSet): void {
  const { documents = [], documentVersions, accesses = [], tags = [] } = set
  const rows = documents.map(({ after }) => after)
  for (const { textDigest } of [...rows, ...(documentVersions?.put ?? [])]) checkText(tables, textDigest)
  put(tables.documents, rows, ({ id }) => id)
  for (const { documentId, tags: all } of tags) tables.tags.set(documentId, all)
  changeVersions(tables.documentVersions, documentVersions, (one) => keyOf(one.documentId, one.snapshotId))
  for (const { documentId, times, at } of accesses) {
    const row = tables.documents.get(documentId)
    if (row?.state !== 'live') continue
    const accessedAt = Math.max(row.accessedAt ?? at, at)
    tables.documents.set(documentId, { ...row, accesses: row.accesses + times, accessedAt })
  }
}

function putNodes(tables: Tables, { nodes = [], versions, heat = [], index = [] }: port.WriteSet): void {
  for (const { before, after } of nodes) {
    if (!before && tables.nodes.has(after.key)) throw new Error('a node was added whose key is taken')
    checkText(tables, after.digest)
    tables.nodes.set(after.key, after)
  }
  changeVersions(tables.versions, versions, ({ key, snapshotId }) => keyOf(key, snapshotId))
  for (const { isNew, ...record } of heat)
    if (isNew || tables.heat.has(record.key)) tables.heat.set(record.key, record)
  for (const { key, after } of index) after ? tables.index.set(key, after) : tables.index.delete(key)
}

function changeVersions<G, V extends G>(
  table: Map<string, V>,
  change: { put: readonly V[]; remove: readonly G[] } | undefined,
  versionKey: (version: G) => string,
): void {
  remove(table, change?.remove.map(versionKey))
  if (change?.put.some((version) => table.has(versionKey(version))))
    throw new Error('a snapshot has two versions of the same thing')
  put(table, change?.put, versionKey)
}

function putOthers(tables: Tables, set: port.WriteSet): void {
  remove(tables.overlays, set.overlays?.remove)
  put(tables.overlays, set.overlays?.put, ({ nodeKey }) => nodeKey)
  remove(tables.leases, set.leases?.remove)
  put(tables.leases, set.leases?.put, ({ name }) => name)
  remove(tables.links, set.links?.remove)
  put(tables.links, set.links?.put, ({ id }) => id)
  remove(
    tables.documentNames,
    set.documentNames?.remove.map(({ documentId, name }) => keyOf(documentId, name)),
  )
  put(tables.documentNames, set.documentNames?.put, ({ documentId, name }) => keyOf(documentId, name))
  const { root, put: facts, remove: gone } = set.fileFacts ?? { root: '', put: [], remove: [] }
  remove(
    tables.fileFacts,
    gone.map((path) => keyOf(root, path)),
  )
  put(
    tables.fileFacts,
    facts.map((one) => ({ ...one, root })),
    ({ path }) => keyOf(root, path),
  )
}

function put<K, R>(table: Map<K, R>, rows: readonly R[] = [], keyOfRow: (row: R) => K): void {
  for (const row of rows) table.set(keyOfRow(row), row)
}

function remove<K>(table: Map<K, unknown>, keys: readonly K[] = []): void {
  for (const key of keys) table.delete(key)
}

function putCounts(tables: Tables, { counters = new Map(), doorCounts, tagCounts }: port.WriteSet): void {
  for (const [name, by] of counters) if (by !== 0) addTo(tables.counters, name, by)
  addCounts(tables.doorCounts, doorCounts)
  addCounts(tables.tagCounts, tagCounts)
}

/** What comes to nothing goes. */
function addCounts<R extends { count: number; bytes?: number }>(
  table: Map<string, R>,
  rows: readonly R[] = [],
): void {
  for (const row of rows) {
    const key = keyOf({ ...row, count: null, bytes: null })
    const { count = 0, bytes = 0 } = table.get(key) ?? {}
    table.set(key, { ...row, count: row.count + count, ...('bytes' in row && { bytes: row.bytes + bytes }) })
  }
  removeRows(table, ({ count }) => count === 0)
}

/** What must hold at the end of a transaction, whatever the order of its rows was. */
export function checkReferences({ nodes, documents }: Tables): void {
  const addresses = new Set(rowsOf(documents).map(({ address }) => keyOf(address)))
  if (addresses.size < documents.size) throw new Error('two documents have the same address')
  const ids = new Set(rowsOf(nodes).map(({ id }) => id))
  if (ids.size < nodes.size) throw new Error('two nodes have the same id')
  for (const { parentKey, documentId } of nodes.values()) {
    if (parentKey !== null && !nodes.has(parentKey)) throw new Error('a node has a parent that is not there')
    if (!documents.has(documentId)) throw new Error('a node has a document that is not there')
  }
}
