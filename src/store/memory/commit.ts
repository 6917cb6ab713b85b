import { indexRow } from '../../core/find/index-row.ts'
import type { ChangeKind } from '../../core/port/change-feed.ts'
import type { SnapshotRow } from '../../core/port/rows.ts'
import { INDEX_CHECK } from '../../core/port/store.ts'
import type { Erasure, HistoryDrop, TextReferences, WriteSet } from '../../core/port/write-set.ts'
import { by } from '../../util/order.ts'
import { textOf } from './nodes.ts'
import { type Draft, spaceOf } from './tables.ts'

/** Stores sets of rows as they come. What follows from them was decided before. */
export function commits(draft: Draft) {
  const { tables, put, remove, setSpace } = draft
  const meant = new Set<ChangeKind>()
  let snapshot: SnapshotRow | undefined

  function putSnapshot(row: SnapshotRow): void {
    put('snapshots', row.id, row)
    setSpace({ lastSnapshotId: Math.max(spaceOf(tables).lastSnapshotId, row.id) })
  }
  function refer({ digest, text, by }: TextReferences): void {
    const known = tables.texts.get(digest)
    const said = known?.text ?? text
    if (said === null) throw notStored()
    const refs = (known?.refs ?? 0) + by
    if (refs > 0) put('texts', digest, { text: said.toWellFormed(), refs })
    else remove('texts', digest)
  }
  function checkText(digest: string | null): void {
    if (digest && !tables.texts.has(digest)) throw notStored()
  }
  /** Versions that go: of some things, or later than a snapshot. */
  function forget(
    name: 'versions' | 'documentVersions',
    isGone: (of: number, snapshotId: number) => boolean,
  ): void {
    for (const [of, versions] of tables[name]) {
      const left = versions.filter(({ snapshotId }) => !isGone(of, snapshotId))
      if (left.length === 0) remove(name, of)
      else if (left.length < versions.length) put(name, of, left as never)
    }
  }
  function erase({ document, nodes }: Erasure): void {
    const keys = new Set(nodes)
    forget('versions', (key) => keys.has(key))
    forget('documentVersions', (id) => id === document)
  }
  function drop({ after, before, nodes }: HistoryDrop): void {
    for (const name of ['versions', 'documentVersions'] as const) forget(name, (_, id) => id > after)
    for (const id of [...tables.snapshots.keys()]) if (id > after && id < before) remove('snapshots', id)
    for (const key of nodes) for (const name of ['nodes', 'heat'] as const) remove(name, key)
    const gone = new Set(nodes)
    for (const { id, sourceKey } of [...tables.links.values()]) if (gone.has(sourceKey)) remove('links', id)
  }
  function putDocuments(set: WriteSet): void {
    const { documents = [], documentVersions, accesses = [], tags = [] } = set
    for (const { after } of documents) {
      checkText(after.textDigest)
      put('documents', after.id, after)
    }
    for (const { documentId: id, snapshotId: gone } of documentVersions?.remove ?? [])
      put('documentVersions', id, without(tables.documentVersions.get(id), gone))
    for (const version of documentVersions?.put ?? []) {
      checkText(version.textDigest)
      const id = version.documentId
      put('documentVersions', id, withVersion(tables.documentVersions.get(id), version))
    }
    for (const { documentId: id, tags: found } of tags) put('tags', id, found)
    for (const { documentId: id, times, at } of accesses) {
      const row = tables.documents.get(id)
      if (row?.state !== 'live') continue
      const accessedAt = Math.max(row.accessedAt ?? at, at)
      put('documents', id, { ...row, accesses: row.accesses + times, accessedAt })
    }
  }
  function putNodes({ nodes = [], versions, heat = [], index = [] }: WriteSet): void {
    for (const { before, after } of nodes) {
      if (!before && tables.nodes.has(after.key)) throw new Error('a node was added whose key is taken')
      checkText(after.digest)
      put('nodes', after.key, after)
    }
    for (const { key, snapshotId } of versions?.remove ?? [])
      put('versions', key, without(tables.versions.get(key), snapshotId))
    for (const version of versions?.put ?? [])
      put('versions', version.key, withVersion(tables.versions.get(version.key), version))
    for (const { isNew, ...record } of heat)
      if (isNew || tables.heat.has(record.key)) put('heat', record.key, record)
    for (const { key, after } of index) after ? put('index', key, after) : remove('index', key)
  }
  function putCounts({ counters = new Map(), doorCounts = [], tagCounts = [] }: WriteSet): void {
    for (const [name, by] of counters)
      if (by !== 0) put('counters', name, (tables.counters.get(name) ?? 0) + by)
    for (const { count, bytes, ...row } of doorCounts) {
      const name = JSON.stringify(row)
      const known = tables.doorCounts.get(name)
      const sums = { count: (known?.count ?? 0) + count, bytes: (known?.bytes ?? 0) + bytes }
      sums.count === 0 ? remove('doorCounts', name) : put('doorCounts', name, { ...row, ...sums })
    }
    for (const { count, ...row } of tagCounts) {
      const name = JSON.stringify(row)
      const sum = (tables.tagCounts.get(name)?.count ?? 0) + count
      sum === 0 ? remove('tagCounts', name) : put('tagCounts', name, { ...row, count: sum })
    }
  }
  function putLinks({ links, documentNames }: WriteSet): void {
    for (const id of links?.remove ?? []) remove('links', id)
    for (const link of links?.put ?? []) put('links', link.id, link)
    for (const { documentId, name } of documentNames?.remove ?? [])
      remove('documentNames', pairKey(documentId, name))
    for (const row of documentNames?.put ?? []) put('documentNames', pairKey(row.documentId, row.name), row)
  }
  function putOthers({ overlays, leases, fileFacts }: WriteSet): void {
    for (const { nodeKey, ...overlay } of overlays?.put ?? []) put('overlays', nodeKey, overlay)
    for (const key of overlays?.remove ?? []) remove('overlays', key)
    for (const lease of leases?.put ?? []) put('leases', lease.name, lease)
    for (const name of leases?.remove ?? []) remove('leases', name)
    const root = fileFacts?.root ?? ''
    for (const facts of fileFacts?.put ?? []) put('files', pairKey(root, facts.path), { ...facts, root })
    for (const path of fileFacts?.remove ?? []) remove('files', pairKey(root, path))
  }

  return {
    engineHeal(check: string): void {
      if (check !== INDEX_CHECK) return
      for (const { key, digest, type, label } of tables.nodes.values()) {
        const text = textOf(tables, digest)
        text === null ? remove('index', key) : put('index', key, indexRow({ type, label, text }))
      }
    },
    commit(set: WriteSet): void {
      if (set.snapshot) {
        snapshot = set.snapshot.row
        putSnapshot(snapshot)
        setSpace({ headId: snapshot.id, digest: set.snapshot.digest })
      }
      for (const row of set.snapshots ?? []) putSnapshot(row)
      if (set.state) setSpace(set.state)
      if (set.erase) erase(set.erase)
      if (set.drop) drop(set.drop)
      for (const reference of set.texts ?? []) refer(reference)
      if (set.home !== undefined) setSpace({ home: set.home })
      if (set.heatClock) setSpace({ heat: set.heatClock })
      putDocuments(set)
      putNodes(set)
      putOthers(set)
      putLinks(set)
      putCounts(set)
      for (const kind of set.changes ?? []) meant.add(kind)
    },
    /** The kinds of change to report to subscribers. */
    kinds(): Set<string> {
      if (draft.changed.size === 0) return new Set()
      const named = snapshot ? [snapshot.operation, ...meant] : [...meant]
      return new Set(named.length > 0 ? named : ['update'])
    },
  }
}

function pairKey(of: string | number, name: string): string {
  return JSON.stringify([of, name])
}

interface Dated {
  snapshotId: number
}

/** Oldest first. */
function withVersion<V extends Dated>(past: readonly V[] = [], version: V): V[] {
  if (without(past, version.snapshotId).length < past.length)
    throw new Error('a snapshot has two versions of the same thing')
  return [...past, version].sort(by(({ snapshotId }) => [snapshotId]))
}

function without<V extends Dated>(past: readonly V[] = [], gone: number): V[] {
  return past.filter(({ snapshotId }) => snapshotId !== gone)
}

function notStored(): Error {
  return new Error('a text was referred to by a digest that is not stored')
}

/** What must hold at the end of a transaction, whatever the order of its rows was. */
export function checkReferences({ tables: { nodes, documents }, changed }: Draft): void {
  const addresses = new Set([...documents.values()].map(({ address }) => JSON.stringify(address)))
  if (addresses.size < documents.size) throw new Error('two documents have the same address')
  const ids = new Set([...nodes.values()].map(({ id }) => id))
  if (ids.size < nodes.size) throw new Error('two nodes have the same id')
  for (const { parentKey, documentId } of changed.has('nodes') ? nodes.values() : []) {
    if (parentKey !== null && !nodes.has(parentKey)) throw new Error('a node has a parent that is not there')
    if (!documents.has(documentId)) throw new Error('a node has a document that is not there')
  }
}
