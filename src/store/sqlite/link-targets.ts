import { type Context, listParameter } from './context.ts'
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

/** Files by path, then the other doors; the document whose headings count. */
const firstDocument = (nodes: string): string =>
  `SELECT d.id FROM ${nodes} CROSS JOIN documents d ON d.id = n.document_id WHERE n.name = @name AND ${IN_SOURCE}
   ORDER BY d.kind <> 'source', ${SHOWN_NAME}, d.collection, d.id LIMIT 1`
/** In a document the highest heading counts. */
const firstHeading = (nodes: string): string =>
  `SELECT n.key FROM ${nodes} WHERE n.name = @name AND n.document_id = @document ORDER BY ${DEPTH}, n.id LIMIT 1`

/** Every heading of a name, in the order of `firstDocument` and then of `firstHeading`. */
const HEADINGS = `SELECT d.id AS document, ${SHOWN_NAME} AS shown, n.key FROM nodes n CROSS JOIN documents d ON d.id = n.document_id
  WHERE n.name = @name ORDER BY d.kind <> 'source', shown, d.collection, d.id, ${DEPTH}, n.id`

const ALL = 'nodes n'
const OF_KEYS = 'json_each(@keys) j CROSS JOIN nodes n ON n.key = j.value'

type Named = { name: string; source: string }
interface Heading {
  document: number
  shown: string
  key: number
}

/** Where a link leads: a function of what is stored, so that it does not matter in which order things came. */
export function targetQueries({ db }: Context) {
  const byId = statement<[string], { key: number }>(
    db,
    'SELECT key FROM nodes WHERE id = ? AND removed_in IS NULL',
  )
  const documentOfAll = statement<[Named], { id: number }>(db, firstDocument(ALL))
  const headingOfAll = statement<[{ name: string; document: number }], { key: number }>(db, firstHeading(ALL))
  const documentOfKeys = statement<[Named & { keys: string }], { id: number }>(db, firstDocument(OF_KEYS))
  const headingOfKeys = statement<[{ name: string; document: number; keys: string }], { key: number }>(
    db,
    firstHeading(OF_KEYS),
  )
  const headings = statement<[{ name: string }], Heading>(db, HEADINGS)
  return {
    /** As `targetOf`, for links of one name that give many sources: reads the headings of that name once for all of them. */
    ofName(name: string): (source: string) => number | null {
      const bySource = firstBySource(headings().all({ name }))
      return (source) => bySource.get(source) ?? null
    },
    /** Null when there is none. */
    targetOf({ name, source, targetId }: Wanted): number | null {
      if (targetId !== '') return byId().get(targetId)?.key ?? null
      const found = documentOfAll().get({ name, source })
      return found ? (headingOfAll().get({ name, document: found.id })?.key ?? null) : null
    },
    /** The same where only some headings are in question: costs those, however many others have the name. */
    bestOf({ name, source }: Named, candidates: readonly number[]): number | null {
      const keys = listParameter(candidates)
      const found = documentOfKeys().get({ name, source, keys })
      return found ? (headingOfKeys().get({ name, document: found.id, keys })?.key ?? null) : null
    },
  }
}

/** The first heading of each source that a link can give: a document's whole name, the end of it from a folder on, or none. */
function firstBySource(headings: readonly Heading[]): Map<string, number> {
  const first = new Map<string, number>()
  const put = (source: string, key: number): void => void (first.has(source) || first.set(source, key))
  let last: number | undefined
  for (const { document, shown, key } of headings) {
    if (document === last) continue
    last = document
    put('', key)
    put(shown, key)
    // SQLite's substr, by which a single link is led, ends at a NUL.
    const [path = ''] = shown.split('\0', 1)
    for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) put(path.slice(at + 1), key)
  }
  return first
}
