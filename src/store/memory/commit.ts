import type { ChangeKind } from '../../core/port/change-feed.ts'
import type { SnapshotRow } from '../../core/port/rows.ts'
import type { TextReferences, WriteBase, WriteSet } from '../../core/port/write-set.ts'
import { storedNodes } from './nodes.ts'
import { type Draft, headOf, spaceOf } from './tables.ts'

type Rows<K extends keyof WriteSet> = NonNullable<WriteSet[K]>

/** Stores sets of rows as they come. What follows from them was decided before. */
export function commits(draft: Draft) {
  const { tables, put, remove, setSpace } = draft
  const meant = new Set<ChangeKind>()
  let snapshot: SnapshotRow | undefined

  function putSnapshot({ row, digest }: Rows<'snapshot'>): void {
    snapshot = row
    put('snapshots', row.id, row)
    setSpace({ headId: row.id, lastSnapshotId: Math.max(spaceOf(tables).lastSnapshotId, row.id), digest })
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
    if (digest !== null && !tables.texts.has(digest)) throw notStored()
  }
  function putDocuments({ documents = [], documentVersions = [], accesses = [] }: WriteSet): void {
    for (const { after } of documents) {
      checkText(after.textDigest)
      put('documents', after.id, after)
    }
    for (const { isNew: _, ...version } of snapshot ? documentVersions : []) {
      checkText(version.textDigest)
      const [id, snapshotId] = [version.documentId, (snapshot as SnapshotRow).id]
      const others = (tables.documentVersions.get(id) ?? []).filter((one) => one.snapshotId !== snapshotId)
      put('documentVersions', id, [...others, { ...version, snapshotId }])
    }
    for (const { documentId: id, times, at } of accesses) {
      const row = tables.documents.get(id)
      if (row?.state !== 'live') continue
      const accessedAt = Math.max(row.accessedAt ?? at, at)
      put('documents', id, { ...row, accesses: row.accesses + times, accessedAt })
    }
  }
  function putNodes({ nodes = [], versions = [], heat = [], index = [] }: WriteSet): void {
    for (const { before, after } of nodes) {
      if (!before && tables.nodes.has(after.key)) throw new Error('a node was added whose key is taken')
      checkText(after.digest)
      put('nodes', after.key, after)
    }
    for (const version of snapshot ? versions : []) {
      const past = tables.versions.get(version.key) ?? []
      put('versions', version.key, [...past, { ...version, snapshotId: (snapshot as SnapshotRow).id }])
    }
    for (const { isNew, ...record } of heat)
      if (isNew || tables.heat.has(record.key)) put('heat', record.key, record)
    for (const { key, after } of index) after ? put('index', key, after) : remove('index', key)
  }
  function putOthers({ overlays, leases, fileFacts, counters = new Map() }: WriteSet): void {
    for (const { nodeKey, ...overlay } of overlays?.put ?? []) put('overlays', nodeKey, overlay)
    for (const key of overlays?.remove ?? []) remove('overlays', key)
    for (const { name, ...lease } of leases?.put ?? []) put('leases', name, lease)
    for (const name of leases?.remove ?? []) remove('leases', name)
    const root = fileFacts?.root ?? ''
    for (const facts of fileFacts?.put ?? []) put('files', fileKey(root, facts.path), { ...facts, root })
    for (const path of fileFacts?.remove ?? []) remove('files', fileKey(root, path))
    for (const [name, by] of counters)
      if (by !== 0) put('counters', name, (tables.counters.get(name) ?? 0) + by)
  }

  return {
    base(): WriteBase {
      const { heat, digest, lastSnapshotId } = spaceOf(tables)
      const [nextDocumentId, nextNodeKey] = [nextOf(tables.documents), nextOf(tables.nodes)]
      const head = headOf(tables)
      return { head, heat, digest, nextSnapshotId: lastSnapshotId + 1, nextDocumentId, nextNodeKey }
    },
    storedNodes: (keys: readonly number[]) => storedNodes(tables, keys),
    commit(set: WriteSet): void {
      if (set.snapshot) putSnapshot(set.snapshot)
      for (const reference of set.texts ?? []) refer(reference)
      if (set.home !== undefined) setSpace({ home: set.home })
      if (set.heatClock) setSpace({ heat: set.heatClock })
      putDocuments(set)
      putNodes(set)
      putOthers(set)
      for (const kind of set.changes ?? []) meant.add(kind)
    },
    /** What subscribers are told of all that was committed. */
    kinds(): Set<string> {
      if (draft.changed.size === 0) return new Set()
      const named = snapshot ? [snapshot.operation, ...meant] : [...meant]
      return new Set(named.length > 0 ? named : ['update'])
    },
  }
}

function fileKey(root: string, path: string): string {
  return JSON.stringify([root, path])
}

function nextOf(table: ReadonlyMap<number, unknown>): number {
  return [...table.keys()].reduce((most, key) => Math.max(most, key), 0) + 1
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
