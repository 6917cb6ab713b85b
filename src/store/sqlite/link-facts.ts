import type { Place } from '../../core/links/nearest.ts'
import { createResolver, type LinkFacts } from '../../core/links/resolve.ts'
import { type Context, listParameter } from './context.ts'
import { SHOWN_NAME } from './rows.ts'
import { statement } from './statements.ts'

/** How many nodes are above it. UNION, not UNION ALL: it must end even in a damaged database. */
const DEPTH = `(WITH RECURSIVE above (key) AS (SELECT n.parent_key UNION SELECT p.parent_key FROM above a JOIN nodes p ON
  p.key = a.key) SELECT count(key) FROM above)`

interface SqlPlace {
  id: number
  kind: string
  collection: string
  name: string
  shown: string
}

const PLACE = `d.id, d.kind, d.collection, d.name, ${SHOWN_NAME} AS shown`

/** What decides where links lead. */
export function linkFacts({ db }: Pick<Context, 'db'>): LinkFacts {
  const byId = statement<[string], { key: number }>(
    db,
    'SELECT key FROM nodes WHERE id = ? AND removed_in IS NULL',
  )
  const place = statement<[number], SqlPlace>(db, `SELECT ${PLACE} FROM documents d WHERE d.id = ?`)
  const named = statement<[string], SqlPlace & { is_alias: number }>(
    db,
    `SELECT ${PLACE}, x.is_alias FROM document_names x CROSS JOIN documents d ON d.id = x.document_id WHERE x.name = ?`,
  )
  const headings = statement<[string], { key: number; documentId: number }>(
    db,
    'SELECT key, document_id AS documentId FROM nodes WHERE name = ?',
  )
  const highest = statement<[string], { key: number }>(
    db,
    `SELECT n.key FROM json_each(?) j CROSS JOIN nodes n ON n.key = j.value ORDER BY ${DEPTH}, n.id LIMIT 1`,
  )
  const namesIn = statement<[number], { name: string }>(
    db,
    'SELECT DISTINCT name FROM nodes WHERE document_id = ? AND name IS NOT NULL ORDER BY name',
  )
  const withMarks = statement<[number], { key: number; text: string }>(
    db,
    `SELECT n.key, t.body AS text FROM nodes n JOIN texts t ON t.id = n.text_id
     WHERE n.document_id = ? AND n.removed_in IS NULL AND instr(t.body, '^') > 0 ORDER BY n.id`,
  )
  const firstRoot = statement<[number], { key: number }>(
    db,
    `SELECT key FROM nodes WHERE document_id = ? AND parent_key IS NULL AND position > '' AND removed_in IS NULL
       AND type <> 'preamble' ORDER BY position, key LIMIT 1`,
  )
  const firstPreamble = statement<[number], { key: number }>(
    db,
    `SELECT key FROM nodes WHERE document_id = ? AND parent_key IS NULL AND position > '' AND removed_in IS NULL
     ORDER BY position, key LIMIT 1`,
  )

  return {
    nodeById: (id) => byId().get(id)?.key ?? null,
    place: (documentId) => toPlace(place().get(documentId) as SqlPlace),
    documentsNamed: (name) =>
      named()
        .all(name)
        .map((row) => ({ place: toPlace(row), isAlias: row.is_alias === 1 })),
    headingsNamed: (name) => headings().all(name),
    highest: (keys) => highest().get(listParameter(keys))?.key,
    headingNames: (documentId) =>
      namesIn()
        .all(documentId)
        .map(({ name }) => name),
    markedTexts: (documentId) => withMarks().all(documentId),
    firstRoot: (documentId) => (firstRoot().get(documentId) ?? firstPreamble().get(documentId))?.key ?? null,
  }
}

/** For as long as nothing changes. */
export function linkResolver(context: Pick<Context, 'db'>) {
  const facts = linkFacts(context)
  return () => createResolver(facts)
}

function toPlace({ id, kind, collection, name, shown }: SqlPlace): Place {
  const hasPath = kind === 'source' || kind === 'file'
  const folders = hasPath ? name.split('/').slice(0, -1).filter(Boolean) : []
  return { document: id, group: `${kind} ${collection}`, folders, shown, isFile: kind === 'source' }
}
