import type { NodePut, VersionPut, WriteSet } from '../../core/port/write-set.ts'
import type { Context } from './context.ts'
import type { TextIdOf } from './documents.ts'
import { markBlob } from './marks.ts'
import { statement } from './statements.ts'

type Nullable = string | null

/** Rows of nodes and their versions. One row a statement, for the sake of the search index: see `node-index.ts`. */
export function nodeRowWrites({ db }: Context) {
  const insert = statement<
    [
      ...[number, string, number, number | null, string],
      ...[string, string, number, number | null, Buffer | null, string, Nullable, Nullable, number | null],
    ]
  >(
    db,
    `INSERT INTO nodes (key, id, document_id, parent_key, position, type, format, tokens, text_id, mark, label, name, links,
       removed_in) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const update = statement<
    [string, string, number, number | null, Buffer | null, string, Nullable, Nullable, number | null, number]
  >(
    db,
    `UPDATE nodes SET type = ?, format = ?, tokens = ?, text_id = ?, mark = ?, label = ?, name = ?, links = ?,
       removed_in = ? WHERE key = ?`,
  )
  /** Apart from the rest: most nodes stay where they are, and a place is in two indexes. */
  const place = statement<[number | null, string, number]>(
    db,
    'UPDATE nodes SET parent_key = ?, position = ? WHERE key = ?',
  )
  const version = statement<
    [number, number, string, number | null, Nullable, Nullable, Nullable, Nullable, number | null, Nullable]
  >(
    db,
    `INSERT INTO versions (node_key, snapshot_id, op, parent_key, position, type, format, label, text_id, links)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )

  function putNode({ before, after }: NodePut, idOf: TextIdOf): void {
    const { key, parentKey, position, type, format, tokens, label, name, links: asked, removedIn } = after
    const textId = after.digest === null ? null : idOf(after.digest)
    const mark = after.mark === null ? null : markBlob(after.mark)
    if (!before) {
      const { id, documentId } = after
      const where = [key, id, documentId, parentKey, position] as const
      insert().run(...where, type, format, tokens, textId, mark, label, name, asked, removedIn)
      return
    }
    update().run(type, format, tokens, textId, mark, label, name, asked, removedIn, key)
    if (before.parentKey !== parentKey || before.position !== position) place().run(parentKey, position, key)
  }

  const removeVersion = statement<[number, number]>(
    db,
    'DELETE FROM versions WHERE node_key = ? AND snapshot_id = ?',
  )
  function addVersion({ key, snapshotId, op, state }: VersionPut, idOf: TextIdOf): void {
    const { parentKey, position, type, format, label, digest, links: asked } = state ?? GONE
    const textId = digest === null ? null : idOf(digest)
    version().run(key, snapshotId, op, parentKey, position, type, format, label, textId, asked)
  }

  return {
    putNodes(puts: readonly NodePut[], idOf: TextIdOf): void {
      for (const put of puts) putNode(put, idOf)
    },
    addVersions(versions: readonly VersionPut[], idOf: TextIdOf): void {
      for (const put of versions) addVersion(put, idOf)
    },
    changePast(past: NonNullable<WriteSet['pastVersions']>, idOf: TextIdOf): void {
      for (const put of past.put) {
        removeVersion().run(put.key, put.snapshotId)
        addVersion(put, idOf)
      }
      for (const { key, snapshotId } of past.remove) removeVersion().run(key, snapshotId)
    },
  }
}

const GONE = {
  ...{ parentKey: null, position: null, type: null, format: null, label: null, digest: null, links: null },
}
