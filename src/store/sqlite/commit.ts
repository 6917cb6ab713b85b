import type { WriteSet } from '../../core/port/write-set.ts'
import type { ChangeRows } from './change-rows.ts'
import type { Context } from './context.ts'
import { counterWrites } from './counters.ts'
import { documentRowWrites } from './documents.ts'
import { doorCountWrites } from './door-counts.ts'
import { fileWrites } from './files.ts'
import { historyRemovals } from './forget-history.ts'
import { heatRowWrites } from './heat-rows.ts'
import { leaseWrites } from './leases.ts'
import { linkRowWrites } from './link-rows.ts'
import { indexWrites } from './node-index.ts'
import { nodeRowWrites } from './node-writes.ts'
import { overlayWrites } from './overlays.ts'
import { snapshotWrites } from './snapshots.ts'
import { statement } from './statements.ts'
import type { TextQueries } from './texts.ts'

/** Stores sets of rows as they come. What follows from them was decided before. */
export function commits(context: Context, parts: { texts: TextQueries; rows: ChangeRows }) {
  const { db, spaceId } = context
  const { texts, rows } = parts
  const nodes = nodeRowWrites(context)
  const heat = heatRowWrites(context)
  const { changeLinks, changeNames } = linkRowWrites(context)
  const changeIndex = indexWrites(context)
  const overlays = overlayWrites(context)
  const snapshots = snapshotWrites(context)
  const putLeases = leaseWrites(context)
  const changeFacts = fileWrites(context)
  const addCounters = counterWrites(context)
  const { addCounts } = doorCountWrites(context)
  const documents = documentRowWrites(context)
  const { eraseHistory, dropHistory } = historyRemovals(context)
  const setHome = statement<[string, number]>(db, 'UPDATE spaces SET home = ? WHERE id = ?')
  const countAccess = statement<[NonNullable<WriteSet['accesses']>[number]]>(
    db,
    `UPDATE documents SET accesses = accesses + @times, accessed_at = max(coalesce(accessed_at, @at), @at)
     WHERE id = @documentId AND state = 'live'`,
  )
  function putSnapshots(rows: NonNullable<WriteSet['snapshots']>): void {
    db.pragma('defer_foreign_keys = ON')
    for (const row of rows) snapshots.put(row)
  }
  let snapshot: NonNullable<WriteSet['snapshot']>['row'] | undefined

  return {
    commit(set: WriteSet): void {
      if (set.snapshot) {
        snapshot = set.snapshot.row
        snapshots.put(snapshot)
        snapshots.setState({ headId: snapshot.id, digest: set.snapshot.digest })
      }
      if (set.snapshots) putSnapshots(set.snapshots)
      if (set.state) snapshots.setState(set.state)
      if (set.erase) eraseHistory(set.erase)
      if (set.drop) dropHistory(set.drop)
      const idOf = texts.refer(set.texts ?? [])
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
      if (set.overlays) overlays.putOverlays(set.overlays.put)
      if (set.overlays && set.overlays.remove.length > 0) overlays.deleteOverlays(set.overlays.remove)
      if (set.leases) putLeases(set.leases)
      if (set.fileFacts) changeFacts(set.fileFacts)
      if (set.links) changeLinks(set.links)
      if (set.documentNames) changeNames(set.documentNames)
      if (set.counters) addCounters(set.counters)
      if (set.index) changeIndex(set.index)
      for (const kind of set.changes ?? []) rows.mean(kind)
    },
    /** To be called when a transaction begins: the last one may have been undone. */
    beginCommits(): void {
      snapshot = undefined
    },
    finishCommits(): void {
      if (snapshot) rows.note(snapshot.operation, snapshot.id)
    },
  }
}
