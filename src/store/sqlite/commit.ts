import type { WriteSet } from '../../core/port/write-set.ts'
import { type Context, listParameter } from './database/context.ts'
import { columnsOf, digestBlob, TABLES } from './database/rows.ts'
import { insertion, statement } from './database/statements.ts'
import { documentRowWrites } from './documents/documents.ts'
import { doorCountWrites } from './documents/door-counts.ts'
import { snapshotWrites } from './history/snapshots.ts'
import { linkRowWrites } from './links/link-rows.ts'
import { heatRowWrites } from './nodes/heat-rows.ts'
import { indexWrites } from './nodes/node-index.ts'
import { adoptions } from './writes/adopt.ts'
import type { ChangeRows } from './writes/change-rows.ts'
import { historyRemovals } from './writes/forget-history.ts'
import { nodeRowWrites } from './writes/node-writes.ts'
import { textQueries } from './writes/texts.ts'

const SPACE = columnsOf('spaceId')
/** The file does not have the node. */
const NO_BASE = { parentKey: null, position: null, type: null, format: null, label: null }

/** Stores sets of rows as they come. What follows from them was decided before. */
export function commits(context: Context, changes: ChangeRows) {
  const { db, spaceId } = context
  const { refer } = textQueries(context)
  const nodes = nodeRowWrites(context)
  const heat = heatRowWrites(context)
  const { changeLinks, changeNames } = linkRowWrites(context)
  const changeIndex = indexWrites(context)
  const snapshots = snapshotWrites(context)
  const addCounts = doorCountWrites(context)
  const documents = documentRowWrites(context)
  const { eraseHistory, dropHistory } = historyRemovals(context)
  const adopt = adoptions(context)
  const setHome = statement<[string, number]>(db, 'UPDATE spaces SET home = ? WHERE id = ?')
  const countAccess = statement<[NonNullable<WriteSet['accesses']>[number]]>(
    db,
    `UPDATE documents SET accesses = accesses + @times, accessed_at = max(coalesce(accessed_at, @at), @at)
     WHERE id = @documentId AND state = 'live'`,
  )
  const addCounter = statement<[number, string, number]>(
    db,
    `INSERT INTO counters (space_id, name, value) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET value = value + excluded.value`,
  )
  const putLease = insertion(db, 'INSERT OR REPLACE INTO leases', { ...SPACE, ...TABLES.leases })
  const removeLease = statement<[number, string]>(db, 'DELETE FROM leases WHERE space_id = ? AND name = ?')
  const putOverlay = insertion(db, 'INSERT OR REPLACE INTO overlays', TABLES.overlays)
  const removeOverlays = statement<[string]>(
    db,
    'DELETE FROM overlays WHERE node_key IN (SELECT value FROM json_each(?))',
  )
  const putFacts = insertion(db, 'INSERT OR REPLACE INTO files', { ...SPACE, ...TABLES.fileFacts })
  const removeFacts = statement<[number, string, string]>(
    db,
    'DELETE FROM files WHERE space_id = ? AND root = ? AND path IN (SELECT value FROM json_each(?))',
  )

  function changeOverlays({ put, remove }: NonNullable<WriteSet['overlays']>): void {
    for (const { base, ...overlay } of put)
      putOverlay({ ...NO_BASE, ...base, ...overlay, digest: base && digestBlob(base.digest) })
    if (remove.length > 0) removeOverlays().run(listParameter(remove))
  }
  function changeFacts({ root, put, remove }: NonNullable<WriteSet['fileFacts']>): void {
    for (const { failure, digest, ...file } of put) {
      const { line, reason } = failure ?? { line: null, reason: null }
      putFacts({ ...file, spaceId, root, digest: digestBlob(digest), line, reason })
    }
    if (remove.length > 0) removeFacts().run(spaceId, root, listParameter(remove))
  }
  function changeLeases({ put, remove }: NonNullable<WriteSet['leases']>): void {
    for (const lease of put) putLease({ ...lease, spaceId })
    for (const name of remove) removeLease().run(spaceId, name)
  }
  function putSnapshots(rows: NonNullable<WriteSet['snapshots']>): void {
    db.pragma('defer_foreign_keys = ON')
    for (const row of rows) snapshots.put(row)
  }

  return {
    commit(set: WriteSet): void {
      if (set.snapshot) {
        const { row, digest } = set.snapshot
        snapshots.put(row)
        snapshots.setState({ headId: row.id, digest })
        changes.made(row)
      }
      if (set.snapshots) putSnapshots(set.snapshots)
      if (set.state) snapshots.setState(set.state)
      if (set.erase) eraseHistory(set.erase)
      if (set.drop) dropHistory(set.drop)
      if (set.adopt) adopt(set.adopt)
      const idOf = refer(set.texts ?? [])
      if (set.home !== undefined) setHome().run(set.home, spaceId)
      if (set.documents) documents.putDocuments(set.documents, idOf)
      if (set.documentVersions) documents.changeVersions(set.documentVersions, idOf)
      if (set.tags) documents.putTags(set.tags)
      addCounts(set)
      if (set.nodes) nodes.putNodes(set.nodes, idOf)
      if (set.versions) nodes.changeVersions(set.versions, idOf)
      if (set.heat) heat.putHeat(set.heat)
      if (set.heatClock) heat.setClock(set.heatClock)
      for (const access of set.accesses ?? []) countAccess().run(access)
      if (set.overlays) changeOverlays(set.overlays)
      if (set.leases) changeLeases(set.leases)
      if (set.fileFacts) changeFacts(set.fileFacts)
      if (set.links) changeLinks(set.links)
      if (set.documentNames) changeNames(set.documentNames)
      for (const [name, by] of set.counters ?? []) if (by !== 0) addCounter().run(spaceId, name, by)
      if (set.index) changeIndex(set.index)
      for (const kind of set.changes ?? []) changes.mean(kind)
    },
  }
}
