import type {
  Erasure,
  HeatPut,
  HistoryDrop,
  NodePut,
  VersionPut,
  WriteSet,
} from '../../core/port/write-set.ts'
import { type Context, listParameter } from './database/context.ts'
import { columnsOf, digestBlob, markBlob, TABLES } from './database/rows.ts'
import { insertion, removal, statement, update } from './database/statements.ts'
import { documentRowWrites, type TextIdOf } from './documents/documents.ts'
import { doorCountWrites } from './documents/door-counts.ts'
import { historyFolds } from './history/folds.ts'
import { snapshotWrites } from './history/snapshots.ts'
import { linkRowWrites } from './links/link-rows.ts'
import { indexWrites } from './nodes/node-index.ts'
import { adoptions } from './writes/adopt.ts'
import { auditWrites } from './writes/audit-rows.ts'
import type { ChangeRows } from './writes/change-rows.ts'
import { textQueries } from './writes/texts.ts'

const SPACE = columnsOf('spaceId')
const KEY = columnsOf('key')
const ID = columnsOf('id')
/** For a version of a removed node, and for an overlay of a node that is not in the file. */
const NO_STATE = { parentKey: null, position: null, type: null, format: null, label: null, links: null }

/** Stores sets of rows as given. Core has already derived what follows from a change. */
export function commits(context: Context, changes: ChangeRows) {
  const { db, spaceId } = context
  const { refer } = textQueries(context)
  const nodes = nodeRowWrites(context)
  const { changeLinks, changeNames } = linkRowWrites(context)
  const changeIndex = indexWrites(context)
  const snapshots = snapshotWrites(context)
  const addCounts = doorCountWrites(context)
  const documents = documentRowWrites(context)
  const { eraseHistory, dropHistory } = historyRemovals(context)
  const foldHistory = historyFolds(context)
  const adopt = adoptions(context)
  const changeAudit = auditWrites(context)
  const setHome = update(db, 'spaces', columnsOf('home'), ID)
  const setHeatClock = update(db, 'spaces', TABLES.heatClock, ID)
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
  const removeLease = removal(db, 'leases', columnsOf('spaceId name'))
  const putCheckpoint = insertion(db, 'INSERT OR REPLACE INTO checkpoints', {
    ...SPACE,
    ...TABLES.checkpoints,
  })
  const removeCheckpoint = removal(db, 'checkpoints', columnsOf('spaceId name'))
  const putOverlay = insertion(db, 'INSERT OR REPLACE INTO overlays', TABLES.overlays)
  const removeOverlay = removal(db, 'overlays', columnsOf('nodeKey'))
  const putFacts = insertion(db, 'INSERT OR REPLACE INTO files', { ...SPACE, ...TABLES.fileFacts })
  const removeFacts = removal(db, 'files', columnsOf('spaceId root path'))

  function changeOverlays({ put, remove }: NonNullable<WriteSet['overlays']>): void {
    for (const { base, ...overlay } of put)
      putOverlay({ ...NO_STATE, ...base, ...overlay, digest: base && digestBlob(base.digest) })
    for (const nodeKey of remove) removeOverlay({ nodeKey })
  }
  function changeFacts({ root, put, remove }: NonNullable<WriteSet['fileFacts']>): void {
    for (const { failure, digest, ...file } of put) {
      const { line, reason } = failure ?? { line: null, reason: null }
      putFacts({ ...file, spaceId, root, digest: digestBlob(digest), line, reason })
    }
    for (const path of remove) removeFacts({ spaceId, root, path })
  }
  function changeLeases({ put, remove }: NonNullable<WriteSet['leases']>): void {
    for (const lease of put) putLease({ ...lease, spaceId })
    for (const name of remove) removeLease({ spaceId, name })
  }
  function changeCheckpoints({ put, remove }: NonNullable<WriteSet['checkpoints']>): void {
    for (const name of remove) removeCheckpoint({ spaceId, name })
    for (const checkpoint of put) putCheckpoint({ ...checkpoint, spaceId })
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
      if (set.home !== undefined) setHome({ id: spaceId, home: set.home })
      if (set.documents) documents.putDocuments(set.documents, idOf)
      if (set.documentVersions) documents.changeVersions(set.documentVersions, idOf)
      if (set.moves) documents.changeMoves(set.moves)
      if (set.checkpoints) changeCheckpoints(set.checkpoints)
      if (set.tags) documents.putTags(set.tags)
      addCounts(set)
      if (set.nodes) nodes.putNodes(set.nodes, idOf)
      if (set.versions) nodes.changeVersions(set.versions, idOf)
      if (set.heat) nodes.putHeat(set.heat)
      if (set.heatClock) setHeatClock({ ...set.heatClock, id: spaceId })
      for (const access of set.accesses ?? []) countAccess().run(access)
      if (set.overlays) changeOverlays(set.overlays)
      if (set.leases) changeLeases(set.leases)
      if (set.fileFacts) changeFacts(set.fileFacts)
      if (set.links) changeLinks(set.links)
      if (set.documentNames) changeNames(set.documentNames)
      for (const [name, by] of set.counters ?? []) if (by !== 0) addCounter().run(spaceId, name, by)
      if (set.index) changeIndex(set.index)
      if (set.fold) foldHistory(set.fold)
      if (set.audit) changeAudit(set.audit)
      for (const kind of set.changes ?? []) changes.mean(kind)
    },
  }
}

/** Rows of nodes, their versions and their heat. One row per statement because of the search index: see `node-index.ts`. */
function nodeRowWrites({ db }: Context) {
  const insert = insertion(db, 'INSERT INTO nodes', TABLES.nodes)
  const change = update(db, 'nodes', columnsOf('type format tokens mark label name links removedIn'), KEY)
  /** Separate, because most changes keep text and place, and a place is in two indexes. */
  const setText = update(db, 'nodes', columnsOf('textKey=text_id'), KEY)
  const place = update(db, 'nodes', columnsOf('parentKey position'), KEY)
  const insertVersion = insertion(db, 'INSERT INTO versions', TABLES.versions)
  const heatKey = columnsOf('key=node_key')
  const addHeat = insertion(db, 'INSERT INTO heat', { ...heatKey, ...TABLES.heat })
  const changeHeat = update(db, 'heat', TABLES.heat, heatKey)
  const removeVersion = removal(db, 'versions', columnsOf('key=node_key snapshotId'))

  function putNode({ before, after }: NodePut, idOf: TextIdOf): void {
    const { digest, parentKey, position } = after
    const isSameText = before?.digest === digest
    const textKey = isSameText || digest === '' ? null : idOf(digest)
    const row = { ...after, textKey, mark: after.mark === null ? null : markBlob(after.mark) }
    if (!before) {
      insert(row)
      return
    }
    change(row)
    if (!isSameText) setText(row)
    if (before.parentKey !== parentKey || before.position !== position) place(row)
  }
  function addVersion({ key, snapshotId, op, state }: VersionPut, idOf: TextIdOf): void {
    const textKey = state ? idOf(state.digest) : null
    insertVersion({ ...NO_STATE, ...state, nodeKey: key, snapshotId, op, textKey })
  }

  return {
    putNodes(puts: readonly NodePut[], idOf: TextIdOf): void {
      for (const put of puts) putNode(put, idOf)
    },
    putHeat(puts: readonly HeatPut[]): void {
      for (const put of puts) put.isNew ? addHeat(put) : changeHeat(put)
    },
    changeVersions({ put, remove }: NonNullable<WriteSet['versions']>, idOf: TextIdOf): void {
      for (const version of remove) removeVersion(version)
      for (const version of put) addVersion(version, idOf)
    },
  }
}

/** Removes history, without its texts. */
function historyRemovals({ db, now }: Context) {
  const eraseVersions = statement<[string]>(
    db,
    'DELETE FROM versions WHERE node_key IN (SELECT value FROM json_each(?))',
  )
  const eraseDocumentVersions = removal(db, 'document_versions', columnsOf('documentId'))
  const eraseMoves = removal(db, 'document_moves', columnsOf('documentId'))
  const dropSteps = [
    'DELETE FROM versions WHERE snapshot_id > @after',
    'DELETE FROM document_versions WHERE snapshot_id > @after',
    'DELETE FROM document_moves WHERE snapshot_id > @after',
    'DELETE FROM checkpoints WHERE snapshot_id > @after',
    'DELETE FROM heat WHERE node_key IN (SELECT value FROM json_each(@nodes))',
    'DELETE FROM links WHERE source_key IN (SELECT value FROM json_each(@nodes))',
    'DELETE FROM nodes WHERE key IN (SELECT value FROM json_each(@nodes))',
    'DELETE FROM snapshots WHERE id > @after AND id < @before',
  ].map((sql) => statement<[Omit<HistoryDrop, 'nodes'> & { nodes: string }]>(db, sql))
  const requestScrub = statement<[number]>(db, 'INSERT INTO scrubs (requested_at) VALUES (?)')

  return {
    eraseHistory({ document, nodes }: Erasure): void {
      eraseVersions().run(listParameter(nodes))
      eraseDocumentVersions({ documentId: document })
      eraseMoves({ documentId: document })
      requestScrub().run(now())
    },
    dropHistory({ nodes, ...range }: HistoryDrop): void {
      for (const step of dropSteps) step().run({ ...range, nodes: listParameter(nodes) })
      requestScrub().run(now())
    },
  }
}
