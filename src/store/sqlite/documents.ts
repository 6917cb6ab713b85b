import type { Address } from '../../core/model.ts'
import type { Attributes } from '../../core/port/doors.ts'
import type { DocumentPut, DocumentRow, DocumentState } from '../../core/port/store.ts'
import { type Context, digestBlob } from './context.ts'
import { appends } from './document-appends.ts'
import { documentReads } from './document-reads.ts'
import { documentTags, toAttributes } from './document-tags.ts'
import { documentVersionWrites } from './document-versions.ts'
import { doorCountWrites, isCountedAlike, isCountedKind } from './door-counts.ts'
import type { LinkWriter } from './link-writes.ts'
import { AT_ADDRESS, fromAddress, type SqlDocument, toDocument } from './rows.ts'
import { snapshotTime } from './snapshots.ts'
import { statement } from './statements.ts'
import type { TextQueries } from './texts.ts'

const COLUMNS = 'd.id, d.kind, d.collection, d.name, d.state, d.digest, d.revision'
interface SqlStoredDocument extends SqlDocument {
  text_id: number | null
  attributes: string | null
}

/** A document with what is dropped when it is put again. */
interface StoredDocument extends DocumentRow {
  textId: number | null
  attributes: Attributes
}

function putAgain({ id, address, owner, revision }: StoredDocument, { digest }: DocumentPut): DocumentRow {
  return { id, address, owner, state: 'live', digest, revision: revision + 1 }
}

export function documentWrites(context: Context, texts: TextQueries, links: LinkWriter) {
  const { db, spaceId, ownerId, owner, now } = context
  const { documents } = documentReads(context)
  const versions = documentVersionWrites(context, texts)
  const tags = documentTags(context)
  const counts = doorCountWrites(context)
  const insert = statement<[Record<string, unknown>]>(
    db,
    `INSERT INTO documents (space_id, owner_id, kind, collection, name, text_id, digest, attributes, created_at, updated_at)
     VALUES (@space, @owner, @kind, @collection, @name, @textId, @digest, @attributes, @at, @at)`,
  )
  // What comes back after it was gone is new to its door. No change is earlier than the one before, whatever the clock says.
  const update = statement<[Record<string, unknown>]>(
    db,
    `UPDATE documents SET created_at = CASE state WHEN 'live' THEN created_at ELSE max(@at, updated_at) END, state = 'live',
       text_id = @textId, digest = @digest, attributes = @attributes, appended = 0, revision = revision + 1,
       updated_at = max(@at, updated_at) WHERE id = @id`,
  )
  const setState = statement<[DocumentState, number | null, number, number]>(
    db,
    `UPDATE documents SET state = ?, revision = revision + 1, updated_at = max(updated_at, coalesce(${snapshotTime('?')}, ?)) WHERE id = ?`,
  )
  const move = statement<[string, string, number, number]>(
    db,
    'UPDATE documents SET collection = ?, name = ?, revision = revision + 1, updated_at = max(updated_at, ?) WHERE id = ?',
  )
  const setHome = statement<[string, number]>(db, 'UPDATE spaces SET home = ? WHERE id = ?')
  const clear = statement<[number]>(
    db,
    `UPDATE documents SET text_id = NULL, digest = NULL, appended = 0, accesses = 0, accessed_at = NULL,
       attributes = CASE WHEN attributes IS NOT NULL THEN '{}' END WHERE id = ?`,
  )
  const stored = statement<[number, number, string, string, string], SqlStoredDocument>(
    db,
    `SELECT ${COLUMNS}, d.text_id, d.attributes FROM documents d WHERE ${AT_ADDRESS}`,
  )
  const textIdOf = statement<[number], { text_id: number | null }>(
    db,
    'SELECT text_id FROM documents WHERE id = ?',
  )
  const unsettle = statement<[number]>(
    db,
    `UPDATE documents SET digest = NULL, revision = revision + 1 WHERE id = ? AND kind <> 'source'`,
  )
  function putDocument(put: DocumentPut, snapshotId: number | null): DocumentRow {
    const found = findStored(put.address)
    const store = () => storeDocument(put, found, snapshotId)
    const { kind } = put.address
    if (!isCountedKind(kind)) return store()
    if (found?.state === 'live' && isCountedAlike(kind, found.attributes, put.attributes)) return store()
    if (found) return counts.counting(found.id, store)
    const document = store()
    counts.countNew(document.id)
    return document
  }

  function findStored(address: Address): StoredDocument | undefined {
    const row = stored().get(spaceId, ownerId, address.kind, ...fromAddress(address))
    return row && { ...toDocument(row, owner), textId: row.text_id, attributes: toAttributes(row.attributes) }
  }

  function storeDocument(
    put: DocumentPut,
    found: StoredDocument | undefined,
    snapshotId: number | null,
  ): DocumentRow {
    const { address, attributes } = put
    const row = {
      textId: put.text === null ? null : texts.addText(put.digest, put.text),
      digest: digestBlob(put.digest),
      attributes: attributes === undefined ? null : JSON.stringify(attributes),
      at: put.at ?? now(),
    }
    if (found) {
      texts.dropText(found.textId)
      update().run({ ...row, id: found.id })
      if (attributes) tags.setTags(found.id, attributes.tags ?? [], found.attributes.tags)
    } else {
      const [collection, name] = fromAddress(address)
      insert().run({ ...row, space: spaceId, owner: ownerId, kind: address.kind, collection, name })
    }
    const document = found ? putAgain(found, put) : (documents({ at: [address] }, 'row')[0] as DocumentRow)
    if (attributes && !found) tags.setTags(document.id, attributes.tags ?? [])
    versions.recordVersion(document.id, snapshotId, { kind: address.kind, text_id: row.textId })
    return document
  }

  return {
    putDocuments: (puts: DocumentPut[], snapshotId: number | null): DocumentRow[] =>
      puts.map((put) => putDocument(put, snapshotId)),

    setHome: (home: string): void => void setHome().run(home, spaceId),
    moveDocuments(moves: { documentId: number; address: Address }[]): void {
      // In two steps: two documents may change places, and no address is ever taken twice.
      for (const { documentId } of moves) move().run('', `moving ${documentId}`, now(), documentId)
      for (const { documentId, address } of moves) {
        move().run(...fromAddress(address), now(), documentId)
        links.documentMoved(documentId)
      }
    },

    setDocumentState: (documentId: number, state: DocumentState, snapshotId: number | null): void =>
      counts.counting(documentId, () => {
        setState().run(state, snapshotId, now(), documentId)
        if (state !== 'live') {
          texts.dropText(textIdOf().get(documentId)?.text_id ?? null)
          clear().run(documentId)
          tags.setTags(documentId, [])
        }
        versions.recordVersion(documentId, snapshotId)
      }),

    unsettleDocuments(documentIds: number[], snapshotId: number): void {
      for (const documentId of new Set(documentIds)) {
        const { changes } = unsettle().run(documentId)
        if (changes > 0) versions.recordVersion(documentId, snapshotId)
      }
    },
    restoreDocuments: versions.restoreDocuments,
    ...appends(context, texts),
  }
}
