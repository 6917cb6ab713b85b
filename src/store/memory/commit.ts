import type { AuditWrite } from '../../core/port/audit.ts'
import type * as port from '../../core/port/write-set.ts'
import { addTo } from '../../core/rows/counters.ts'
import { given } from '../../util/given.ts'
import { keyOf, removeNodes, removeRows, rowsOf, type Tables } from './tables.ts'

/** Stores sets of rows as they come. What follows from them was decided before. */
export function commits(tables: Tables) {
  const kinds = new Set<string>()
  return {
    /** The kinds of change to report to subscribers. */
    kinds,
    commit(set: port.WriteSet): void {
      putSpace(tables, set)
      if (set.erase) erase(tables, set.erase)
      if (set.drop) drop(tables, set.drop)
      for (const reference of set.texts ?? []) refer(tables, reference)
      checkTexts(tables, set)
      putDocuments(tables, set)
      putNodes(tables, set)
      putOthers(tables, set)
      putCounts(tables, set)
      if (set.fold) fold(tables, set.fold)
      if (set.audit) putAudit(tables, set.audit)
      for (const kind of [set.snapshot?.row.operation ?? [], set.changes ?? []].flat()) kinds.add(kind)
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
  for (const table of [tables.documentVersions, tables.moves])
    removeRows<{ documentId: number }>(table, ({ documentId }) => documentId === document)
}

function drop(tables: Tables, { after, before, nodes }: port.HistoryDrop): void {
  const { versions, documentVersions, moves, checkpoints } = tables
  for (const table of [versions, documentVersions, moves, checkpoints])
    removeRows<{ snapshotId: number }>(table, ({ snapshotId }) => snapshotId > after)
  removeRows(tables.snapshots, ({ id }) => id > after && id < before)
  removeNodes(tables, nodes)
}

function fold(tables: Tables, { into, parent, ...gone }: port.HistoryFold): void {
  const { versions, documentVersions, snapshots } = tables
  for (const { key, from, op } of gone.versions) {
    const version = versions.get(keyOf(key, from)) as port.VersionPut
    versions.delete(keyOf(key, from))
    versions.set(keyOf(key, into), { ...version, snapshotId: into, op })
  }
  for (const { documentId, from } of gone.documentVersions) {
    const version = documentVersions.get(keyOf(documentId, from)) as port.DocumentVersionWrite
    documentVersions.delete(keyOf(documentId, from))
    documentVersions.set(keyOf(documentId, into), { ...version, snapshotId: into })
  }
  const ids = new Set(gone.snapshots)
  for (const row of snapshots.values())
    if (ids.has(row.parentId ?? 0)) snapshots.set(row.id, { ...row, parentId: parent })
  for (const id of ids) snapshots.delete(id)
  removeNodes(tables, gone.nodes)
}

function refer({ texts }: Tables, { digest, text: given, by }: port.TextReferences): void {
  const { text, references } = texts.get(digest) ?? { text: given, references: 0 }
  if (text === null) throw notStored()
  texts.set(digest, { digest, text: text.toWellFormed(), references: references + by })
  if (references + by <= 0) texts.delete(digest)
}

function checkTexts({ texts }: Tables, { documents, documentVersions, nodes }: port.WriteSet): void {
  const digests = [
    nodes?.map(({ after }) => after.digest),
    documents?.map(({ after }) => after.textDigest),
    documentVersions?.put.map(({ textDigest }) => textDigest),
  ]
  if (digests.flat().some((digest) => digest && !texts.has(digest))) throw notStored()
}

function notStored(): Error {
  return new Error('a text was referred to by a digest that is not stored')
}

/** First those that go, by their keys or by what those are made of. */
function change<K extends string | number, R extends object>(
  table: Map<K, R>,
  changes: { put: readonly R[]; remove: readonly (K | Partial<R>)[] } | undefined,
  key: (row: R) => K,
): void {
  for (const gone of changes?.remove ?? []) table.delete(typeof gone === 'object' ? key(gone as R) : gone)
  for (const row of changes?.put ?? []) table.set(key(row), row)
}

function putDocuments(tables: Tables, set: port.WriteSet): void {
  for (const { after } of set.documents ?? []) tables.documents.set(after.id, after)
  for (const { documentId, tags } of set.tags ?? []) tables.tags.set(documentId, tags)
  change(tables.documentVersions, set.documentVersions, ({ documentId, snapshotId }) => {
    return keyOf(documentId, snapshotId)
  })
  change(tables.moves, set.moves, ({ documentId, snapshotId }) => keyOf(documentId, snapshotId))
  for (const { documentId, times, at } of set.accesses ?? []) {
    const row = tables.documents.get(documentId)
    if (row?.state !== 'live') continue
    const accessedAt = Math.max(row.accessedAt ?? at, at)
    tables.documents.set(documentId, { ...row, accesses: row.accesses + times, accessedAt })
  }
}

function putNodes(tables: Tables, { nodes = [], versions, heat = [] }: port.WriteSet): void {
  for (const { after } of nodes) tables.nodes.set(after.key, after)
  change(tables.versions, versions, ({ key, snapshotId }) => keyOf(key, snapshotId))
  for (const { isNew, ...record } of heat)
    if (isNew || tables.heat.has(record.key)) tables.heat.set(record.key, record)
}

function putOthers(tables: Tables, set: port.WriteSet): void {
  change(tables.overlays, set.overlays, ({ nodeKey }) => nodeKey)
  change(tables.leases, set.leases, ({ name }) => name)
  change(tables.checkpoints, set.checkpoints, ({ name }) => name)
  change(tables.links, set.links, ({ id }) => id)
  change(tables.documentNames, set.documentNames, ({ documentId, name }) => keyOf(documentId, name))
  const { root, put: facts, remove: gone } = set.fileFacts ?? { root: '', put: [], remove: [] }
  const files = { put: facts.map((one) => ({ ...one, root })), remove: gone.map((path) => keyOf(root, path)) }
  change(tables.fileFacts, files, ({ path }) => keyOf(root, path))
}

function putAudit({ audit, auditHead }: Tables, { head, add = [], removeUpTo = 0 }: AuditWrite): void {
  removeRows(audit, ({ number }) => number <= removeUpTo)
  for (const entry of add) audit.set(entry.number, entry)
  auditHead.set('head', head)
}

function putCounts(tables: Tables, { counters = new Map(), ...counts }: port.WriteSet): void {
  for (const [name, by] of counters) if (by !== 0) addTo(tables.counters, name, by)
  addCounts(tables.doorCounts, counts.doorCounts)
  addCounts(tables.tagCounts, counts.tagCounts)
  addCounts(tables.userCounts, counts.userCounts)
}

/** Rows whose count reaches zero are removed. */
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

/** Constraints that must hold at the end of a transaction, in any order of its rows. */
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
