import type { HistoryFold } from '../../../core/port/write-set.ts'
import { type Context, listParameter } from '../database/context.ts'
import { statement } from '../database/statements.ts'

/** Versions of snapshots that go become versions of one that stays. */
export function historyFolds({ db }: Context) {
  const moveVersion = statement<[{ into: number; key: number; from: number; op: string }]>(
    db,
    'UPDATE versions SET snapshot_id = @into, op = @op WHERE node_key = @key AND snapshot_id = @from',
  )
  const moveDocumentVersion = statement<[{ into: number; documentId: number; from: number }]>(
    db,
    'UPDATE document_versions SET snapshot_id = @into WHERE document_id = @documentId AND snapshot_id = @from',
  )
  const removals = [
    'DELETE FROM snapshots WHERE id IN (SELECT value FROM json_each(@snapshots))',
    'UPDATE snapshots SET parent_id = @parent WHERE parent_id IN (SELECT value FROM json_each(@snapshots))',
    'DELETE FROM heat WHERE node_key IN (SELECT value FROM json_each(@nodes))',
    'DELETE FROM links WHERE source_key IN (SELECT value FROM json_each(@nodes))',
    'DELETE FROM nodes WHERE key IN (SELECT value FROM json_each(@nodes))',
  ].map((sql) => statement<[{ parent: number | null; snapshots: string; nodes: string }]>(db, sql))

  return ({ into, versions, documentVersions, snapshots, parent, nodes }: HistoryFold): void => {
    for (const version of versions) moveVersion().run({ ...version, into })
    for (const version of documentVersions) moveDocumentVersion().run({ ...version, into })
    const gone = { parent, snapshots: listParameter(snapshots), nodes: listParameter(nodes) }
    for (const remove of removals) remove().run(gone)
  }
}
