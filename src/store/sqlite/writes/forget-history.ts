import type { Erasure, HistoryDrop } from '../../../core/port/write-set.ts'
import { type Context, listParameter } from '../database/context.ts'
import { statement } from '../database/statements.ts'

/** Takes out history that a set names. The texts are somebody else's business. */
export function historyRemovals({ db, now }: Context) {
  const eraseVersions = statement<[string]>(
    db,
    'DELETE FROM versions WHERE node_key IN (SELECT value FROM json_each(?))',
  )
  const eraseDocumentVersions = statement<[number]>(db, 'DELETE FROM document_versions WHERE document_id = ?')
  const dropSteps = [
    'DELETE FROM versions WHERE snapshot_id > @after',
    'DELETE FROM document_versions WHERE snapshot_id > @after',
    'DELETE FROM heat WHERE node_key IN (SELECT value FROM json_each(@nodes))',
    'DELETE FROM links WHERE source_key IN (SELECT value FROM json_each(@nodes))',
    'DELETE FROM nodes WHERE key IN (SELECT value FROM json_each(@nodes))',
    'DELETE FROM snapshots WHERE id > @after AND id < @before',
  ].map((sql) => statement<[Omit<HistoryDrop, 'nodes'> & { nodes: string }]>(db, sql))
  const requestScrub = statement<[number]>(db, 'INSERT INTO scrubs (requested_at) VALUES (?)')

  return {
    eraseHistory({ document, nodes }: Erasure): void {
      eraseVersions().run(listParameter(nodes))
      eraseDocumentVersions().run(document)
      requestScrub().run(now())
    },
    dropHistory({ nodes, ...range }: HistoryDrop): void {
      for (const step of dropSteps) step().run({ ...range, nodes: listParameter(nodes) })
      requestScrub().run(now())
    },
  }
}
