import type { NodePut, VersionPut, WriteSet } from '../../../core/port/write-set.ts'
import type { Context } from '../database/context.ts'
import { columnsOf, markBlob, TABLES } from '../database/rows.ts'
import { insertion, statement, update } from '../database/statements.ts'
import type { TextIdOf } from '../documents/documents.ts'

const KEY = columnsOf('key')

/** Rows of nodes and their versions. One row a statement, for the sake of the search index: see `node-index.ts`. */
export function nodeRowWrites({ db }: Context) {
  const insert = insertion(db, 'INSERT INTO nodes', TABLES.nodes)
  const change = update(db, 'nodes', columnsOf('type format tokens mark label name links removedIn'), KEY)
  /** Apart from the rest: most nodes keep their text and their place, and a place is in two indexes. */
  const setText = update(db, 'nodes', columnsOf('textKey=text_id'), KEY)
  const place = update(db, 'nodes', columnsOf('parentKey position'), KEY)
  const insertVersion = insertion(db, 'INSERT INTO versions', TABLES.versions)
  const removeVersion = statement<[number, number]>(
    db,
    'DELETE FROM versions WHERE node_key = ? AND snapshot_id = ?',
  )

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
    insertVersion({ ...GONE, ...state, nodeKey: key, snapshotId, op, textKey })
  }

  return {
    putNodes(puts: readonly NodePut[], idOf: TextIdOf): void {
      for (const put of puts) putNode(put, idOf)
    },
    changeVersions({ put, remove }: NonNullable<WriteSet['versions']>, idOf: TextIdOf): void {
      for (const { key, snapshotId } of remove) removeVersion().run(key, snapshotId)
      for (const version of put) addVersion(version, idOf)
    },
  }
}

const GONE = { parentKey: null, position: null, type: null, format: null, label: null, links: null }
