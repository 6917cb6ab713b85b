import { compareNames, type DocumentNames, namesOf } from '../../core/links/document-names.ts'
import type { Context } from './context.ts'
import { statement } from './statements.ts'

/** What links find a document by: its file's name, and the aliases of its front matter. */
export function documentNameQueries({ db }: Pick<Context, 'db'>) {
  const pathOf = statement<[number], { name: string }>(
    db,
    `SELECT name FROM documents WHERE id = ? AND kind IN ('source', 'file')`,
  )
  const firstRoot = statement<[number], { key: number; type: string; text: string }>(
    db,
    `SELECT n.key, n.type, t.body AS text FROM nodes n JOIN texts t ON t.id = n.text_id
     WHERE n.document_id = ? AND n.parent_key IS NULL AND n.position > '' AND n.removed_in IS NULL
     ORDER BY n.position, n.key LIMIT 1`,
  )
  const below = statement<[number], { text: string }>(
    db,
    `SELECT t.body AS text FROM nodes n JOIN texts t ON t.id = n.text_id
     WHERE n.parent_key = ? AND n.type = 'list' ORDER BY n.position`,
  )
  const stored = statement<[number], { name: string; is_alias: number }>(
    db,
    'SELECT name, is_alias FROM document_names WHERE document_id = ?',
  )
  const put = statement<[number, string, number]>(
    db,
    'INSERT OR REPLACE INTO document_names (document_id, name, is_alias) VALUES (?, ?, ?)',
  )
  const remove = statement<[number, string]>(
    db,
    'DELETE FROM document_names WHERE document_id = ? AND name = ?',
  )

  /** As they should be. */
  function expectedNames(document: number): DocumentNames {
    const path = pathOf().get(document)?.name
    const root = path === undefined ? undefined : firstRoot().get(document)
    const lists = root?.type === 'preamble' ? below().all(root.key) : []
    return namesOf({ path, root: root && { ...root, lists: lists.map(({ text }) => text) } })
  }
  function storedNames(document: number): DocumentNames {
    return new Map(
      stored()
        .all(document)
        .map(({ name, is_alias }) => [name, is_alias === 1]),
    )
  }

  return {
    expectedNames,
    storedNames,
    /** Stores the names of a document as they are now: those that it keeps, and those that it gained or lost. */
    refresh(document: number): { kept: string[]; changed: string[] } {
      const [before, after] = [storedNames(document), expectedNames(document)]
      const { kept, changed } = compareNames(before, after)
      for (const name of changed) {
        const isAlias = after.get(name)
        if (isAlias === undefined) remove().run(document, name)
        else put().run(document, name, Number(isAlias))
      }
      return { kept, changed }
    },
  }
}
