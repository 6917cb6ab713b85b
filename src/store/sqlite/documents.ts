import { placeOf } from '../../core/address.ts'
import type { StoredDocument } from '../../core/port/stored.ts'
import type {
  DocumentVersionWrite,
  DocumentWrite,
  PastDocumentVersion,
  WriteSet,
} from '../../core/port/write-set.ts'
import { type Context, digestBlob } from './context.ts'
import { statement } from './statements.ts'

/** The id of a text that is stored. */
export type TextIdOf = (digest: string) => number

const VERSION = `INTO document_versions (document_id, snapshot_id, state, text_id, digest, attributes, lead, trail)
  VALUES (@documentId, @snapshotId, @state, @textId, @digest, @attributes, @lead, @trail)`

/** Rows of documents and their versions. */
export function documentRowWrites(context: Context) {
  const { db, spaceId: space, ownerId: owner } = context
  const insert = statement<[Record<string, unknown>]>(
    db,
    `INSERT INTO documents (id, space_id, owner_id, kind, collection, name, state, text_id, digest, revision, created_at, updated_at,
       attributes, appended, accesses, accessed_at)
     VALUES (@id, @space, @owner, @kind, @collection, @name, @state, @textId, @digest, @revision, @createdAt, @updatedAt,
       @attributes, @appended, @accesses, @accessedAt)`,
  )
  const update = statement<[Record<string, unknown>]>(
    db,
    `UPDATE documents SET state = @state, text_id = @textId, digest = @digest, revision = @revision, created_at = @createdAt,
       updated_at = @updatedAt, attributes = @attributes, appended = @appended, accesses = @accesses, accessed_at = @accessedAt
     WHERE id = @id`,
  )
  const move = statement<[{ id: number; collection: string; name: string }]>(
    db,
    'UPDATE documents SET collection = @collection, name = @name WHERE id = @id',
  )
  const addVersion = statement<[Record<string, unknown>]>(db, `INSERT ${VERSION}`)
  const replaceVersion = statement<[Record<string, unknown>]>(db, `INSERT OR REPLACE ${VERSION}`)
  const removeVersion = statement<[Pick<PastDocumentVersion, 'documentId' | 'snapshotId'>]>(
    db,
    'DELETE FROM document_versions WHERE document_id = @documentId AND snapshot_id = @snapshotId',
  )

  function put({ before, after }: DocumentWrite, idOf: TextIdOf): void {
    const { address, attributes, appended, ...row } = after
    const json = attributes && JSON.stringify(attributes)
    const values = { ...row, ...contentOf(after, idOf), attributes: json, appended: Number(appended) }
    if (before) update().run(values)
    else insert().run({ ...values, space, owner, kind: address.kind, ...placeOf(address) })
  }
  /** In two steps: two documents may change places, and no address is ever taken twice. */
  function moveAll(writes: readonly DocumentWrite[]): void {
    const moved = writes.filter(({ before, after }) => before && keyOf(before) !== keyOf(after))
    for (const { after } of moved) move().run({ id: after.id, collection: '', name: `moving ${after.id}` })
    for (const { after } of moved) move().run({ id: after.id, ...placeOf(after.address) })
  }

  const clearTags = statement<[number]>(db, 'DELETE FROM document_tags WHERE document_id = ?')
  const addTag = statement<[string, number, string]>(
    db,
    'INSERT INTO document_tags (tag, document_id, word) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  )

  return {
    putTags(all: NonNullable<WriteSet['tags']>): void {
      for (const { documentId, tags } of all) {
        clearTags().run(documentId)
        for (const { tag, word } of tags) addTag().run(tag, documentId, word)
      }
    },
    putDocuments(writes: readonly DocumentWrite[], idOf: TextIdOf): void {
      moveAll(writes)
      for (const write of writes) put(write, idOf)
    },
    putVersions(versions: readonly DocumentVersionWrite[], idOf: TextIdOf): void {
      for (const { isNew, ...version } of versions)
        (isNew ? addVersion : replaceVersion)().run(versionValues(version, idOf))
    },
    changePast(past: NonNullable<WriteSet['pastDocumentVersions']>, idOf: TextIdOf): void {
      for (const version of past.put) replaceVersion().run(versionValues(version, idOf))
      for (const version of past.remove) removeVersion().run(version)
    },
  }
}

function keyOf({ address }: StoredDocument): string {
  return JSON.stringify(placeOf(address))
}

function versionValues({ attributes, ...version }: PastDocumentVersion, idOf: TextIdOf) {
  const json = attributes && JSON.stringify(attributes)
  return { ...version, ...contentOf(version, idOf), attributes: json }
}

function contentOf({ digest, textDigest }: Pick<StoredDocument, 'digest' | 'textDigest'>, idOf: TextIdOf) {
  return {
    digest: digest === null ? null : digestBlob(digest),
    textId: textDigest === null ? null : idOf(textDigest),
  }
}
