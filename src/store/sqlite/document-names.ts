import { frontAliases } from '../../core/front-aliases.ts'
import { linkName } from '../../core/link.ts'
import { fileNames } from '../../core/link-parts.ts'
import type { Context } from './context.ts'
import { statement } from './statements.ts'

/** By name whether it is an alias. */
export type DocumentNames = ReadonlyMap<string, boolean>

/** What links find a document by: its file's name, and the aliases of its front matter. */
export function documentNameQueries({ db }: Pick<Context, 'db'>) {
  const pathOf = statement<[number], { name: string }>(
    db,
    `SELECT name FROM documents WHERE id = ? AND kind IN ('source', 'file')`,
  )
  const firstRoot = statement<[number], { key: number; type: string; body: string }>(
    db,
    `SELECT n.key, n.type, t.body FROM nodes n JOIN texts t ON t.id = n.text_id
     WHERE n.document_id = ? AND n.parent_key IS NULL AND n.position > '' AND n.removed_in IS NULL
     ORDER BY n.position, n.key LIMIT 1`,
  )
  const below = statement<[number], { body: string }>(
    db,
    `SELECT t.body FROM nodes n JOIN texts t ON t.id = n.text_id
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

  /** As they should be. A document without nodes has none: there is nothing to lead to. */
  function namesOf(document: number): DocumentNames {
    const path = pathOf().get(document)?.name
    const root = path === undefined ? undefined : firstRoot().get(document)
    const names = new Map<string, boolean>()
    if (path === undefined || !root) return names
    for (const alias of aliasesOf(root)) names.set(linkName(alias), true)
    for (const name of fileNames(path)) names.set(name, false)
    return names
  }
  /** A long list of aliases is a node below the front matter. */
  function aliasesOf({ key, type, body }: { key: number; type: string; body: string }): string[] {
    if (type !== 'preamble') return []
    return [
      body,
      ...below()
        .all(key)
        .map((row) => row.body),
    ].flatMap(frontAliases)
  }
  function storedNames(document: number): DocumentNames {
    return new Map(
      stored()
        .all(document)
        .map(({ name, is_alias }) => [name, is_alias === 1]),
    )
  }

  return {
    namesOf,
    storedNames,
    /** Stores the names of a document as they are now: those that it keeps, and those that it gained or lost. */
    refresh(document: number): { kept: string[]; changed: string[] } {
      const [before, after] = [storedNames(document), namesOf(document)]
      const isKept = (name: string): boolean => before.get(name) === after.get(name)
      for (const name of before.keys()) if (!after.has(name)) remove().run(document, name)
      for (const [name, isAlias] of after) if (!isKept(name)) put().run(document, name, Number(isAlias))
      const [kept = [], changed = []] = [true, false].map((wanted) =>
        [...new Set([...before.keys(), ...after.keys()])].filter((name) => isKept(name) === wanted),
      )
      return { kept, changed }
    },
  }
}
