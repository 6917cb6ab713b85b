import { placeOf } from '../../../core/address.ts'
import type { StoredDocument } from '../../../core/port/stored.ts'
import type { DocumentWrite, WriteSet } from '../../../core/port/write-set.ts'
import type { Context } from '../database/context.ts'
import { columnsOf, digestBlob, TABLES } from '../database/rows.ts'
import { insertion, removal, update } from '../database/statements.ts'

const ID = columnsOf('id')

/** The id of a text that is stored. */
export type TextIdOf = (digest: string) => number

/** Rows of documents and their versions. */
export function documentRowWrites(context: Context) {
  const { db, spaceId, ownerId } = context
  const insert = insertion(db, 'INSERT INTO documents', {
    ...columnsOf('spaceId ownerId'),
    ...TABLES.documents,
  })
  const { id: _, kind, collection, name, ...changing } = TABLES.documents
  const change = update(db, 'documents', changing, ID)
  const move = update(db, 'documents', columnsOf('collection name'), ID)
  const addVersion = insertion(db, 'INSERT INTO document_versions', TABLES.documentVersions)
  const removeVersion = removal(db, 'document_versions', columnsOf('documentId snapshotId'))

  const addMove = insertion(db, 'INSERT INTO document_moves', TABLES.moves)
  const removeMove = removal(db, 'document_moves', columnsOf('documentId snapshotId'))

  function put({ before, after }: DocumentWrite, idOf: TextIdOf): void {
    const row = { ...after, ...contentOf(after, idOf) }
    if (before) change(row)
    else insert({ ...row, spaceId, ownerId, kind: after.address.kind, ...placeOf(after.address) })
  }
  /** In two steps: two documents may change places, and no address is ever taken twice. */
  function moveAll(writes: readonly DocumentWrite[]): void {
    const moved = writes.filter(({ before, after }) => before && keyOf(before) !== keyOf(after))
    for (const { after } of moved) move({ id: after.id, collection: '', name: `moving ${after.id}` })
    for (const { after } of moved) move({ id: after.id, ...placeOf(after.address) })
  }

  const clearTags = removal(db, 'document_tags', columnsOf('documentId'))
  const addTag = insertion(db, 'INSERT OR IGNORE INTO document_tags', columnsOf('tag documentId word'))

  return {
    putTags(all: NonNullable<WriteSet['tags']>): void {
      for (const { documentId, tags } of all) {
        clearTags({ documentId })
        for (const tag of tags) addTag({ ...tag, documentId })
      }
    },
    putDocuments(writes: readonly DocumentWrite[], idOf: TextIdOf): void {
      moveAll(writes)
      for (const write of writes) put(write, idOf)
    },
    changeVersions({ put, remove }: NonNullable<WriteSet['documentVersions']>, idOf: TextIdOf): void {
      for (const version of remove) removeVersion(version)
      for (const version of put) addVersion({ ...version, ...contentOf(version, idOf) })
    },
    changeMoves({ put, remove }: NonNullable<WriteSet['moves']>): void {
      for (const move of remove) removeMove(move)
      for (const move of put) addMove(move)
    },
  }
}

function keyOf({ address }: StoredDocument): string {
  return JSON.stringify(placeOf(address))
}

function contentOf(
  { digest, textDigest, attributes }: Pick<StoredDocument, 'digest' | 'textDigest' | 'attributes'>,
  idOf: TextIdOf,
) {
  return {
    digest: digest === null ? null : digestBlob(digest),
    textKey: textDigest === null ? null : idOf(textDigest),
    attributes: attributes && JSON.stringify(attributes),
  }
}
