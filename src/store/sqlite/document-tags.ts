import type { Attributes } from '../../core/port/doors.ts'
import type { Context } from './context.ts'
import { statement } from './statements.ts'

/** The tags of documents, for looking up. */
export function documentTags({ db }: Context) {
  const clear = statement<[number]>(db, 'DELETE FROM document_tags WHERE document_id = ?')
  const add = statement<[string, number, string]>(
    db,
    'INSERT INTO document_tags (tag, document_id, word) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  )
  return {
    setTags(documentId: number, tags: Iterable<{ tag: string; word: string }>): void {
      clear().run(documentId)
      for (const { tag, word } of tags) add().run(tag, documentId, word)
    },
  }
}

export function toAttributes(json: string | null): Attributes {
  return json === null ? {} : (JSON.parse(json) as Attributes)
}
