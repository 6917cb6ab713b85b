import type { Context } from './context.ts'
import { SHOWN_NAME } from './rows.ts'
import { statement } from './statements.ts'

/** What a link asks for. An id says it all; otherwise a heading with that name, in that file if one is given. */
export interface Wanted {
  name: string
  source: string
  targetId: string
}

/** A file is named by its path or the end of it, from a folder on. Literally: no character has another meaning. */
const IN_SOURCE = `(@source = '' OR ${SHOWN_NAME} = @source
  OR substr(${SHOWN_NAME}, -length(@source) - 1) = '/' || @source)`

/** How many nodes are above it. UNION, not UNION ALL: it must end even in a damaged database. */
const DEPTH = `(WITH RECURSIVE above (key) AS (SELECT n.parent_key UNION SELECT p.parent_key FROM above a JOIN nodes p ON
  p.key = a.key) SELECT count(key) FROM above)`

/** Where a link leads: a function of what is stored, so that it does not matter in which order things came. */
export function targetQueries({ db }: Context) {
  const byId = statement<[string], { key: number }>(
    db,
    'SELECT key FROM nodes WHERE id = ? AND removed_in IS NULL',
  )
  const firstDocument = statement<[{ name: string; source: string }], { id: number }>(
    db,
    `SELECT d.id FROM nodes n CROSS JOIN documents d ON d.id = n.document_id WHERE n.name = @name AND ${IN_SOURCE}
     ORDER BY d.kind <> 'source', ${SHOWN_NAME}, d.collection, d.id LIMIT 1`,
  )
  const firstHeading = statement<[string, number], { key: number }>(
    db,
    `SELECT n.key FROM nodes n WHERE n.name = ? AND n.document_id = ? ORDER BY ${DEPTH}, n.id LIMIT 1`,
  )
  return {
    /** Files by path, then the other doors; within one the highest heading. Null when there is none. */
    targetOf({ name, source, targetId }: Wanted): number | null {
      if (targetId !== '') return byId().get(targetId)?.key ?? null
      const document = firstDocument().get({ name, source })
      return document ? (firstHeading().get(name, document.id)?.key ?? null) : null
    },
  }
}
