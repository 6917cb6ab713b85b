import { tagWord } from '../../core/find/tags.ts'
import type { Attributes } from '../../core/port/doors.ts'
import type { Context } from './context.ts'
import { statement } from './statements.ts'

/** The tags of documents, for looking up: they say what the attributes say. */
export function documentTags({ db }: Context) {
  const clear = statement<[number]>(db, 'DELETE FROM document_tags WHERE document_id = ?')
  const add = statement<[string, number, string]>(
    db,
    'INSERT INTO document_tags (tag, document_id, word) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  )
  return {
    /** `before`: those it has, where that is known. */
    setTags(documentId: number, tags: readonly string[], before?: readonly string[]): void {
      if (before && isSameSet(tags, before)) return
      clear().run(documentId)
      for (const tag of tags) add().run(tag, documentId, tagWord(tag))
    },
  }
}

function isSameSet(some: readonly string[], others: readonly string[]): boolean {
  const set = new Set(others)
  return new Set(some).size === set.size && some.every((tag) => set.has(tag))
}

export function toAttributes(json: string | null): Attributes {
  return json === null ? {} : (JSON.parse(json) as Attributes)
}
