import { toAddress } from '../../../core/address.ts'
import type { DocumentKind } from '../../../core/model.ts'
import type { DocumentNaming, LinkAnswer, LinkQuestion } from '../../../core/port/links.ts'
import type { DocumentName } from '../../../core/port/write-set.ts'
import { type Context, listParameter } from '../database/context.ts'
import { booleans } from '../database/rows.ts'
import { statement } from '../database/statements.ts'

/** How many nodes are above it. UNION, not UNION ALL: it must end even in a damaged database. */
const DEPTH = `(WITH RECURSIVE above (key) AS (SELECT n.parent_key UNION SELECT p.parent_key FROM above a JOIN nodes p ON
  p.key = a.key) SELECT count(key) FROM above)`

const EACH = 'json_each(?) j CROSS JOIN'
const LIVE_ROOT = `parent_key IS NULL AND position > '' AND removed_in IS NULL`

/** The first root of a document. */
function firstRoot(condition: string): string {
  return `SELECT r.key FROM nodes r WHERE r.document_id = j.value AND r.${LIVE_ROOT} ${condition}
    ORDER BY r.position, r.key LIMIT 1`
}

const NAME = 'x.document_id AS documentId, x.name, x.is_alias AS isAlias'
const toName = booleans<DocumentName>('isAlias')

interface SqlNaming {
  documentId: number
  path: string | null
  root: number | null
  /** Of its front matter. */
  key: number | null
  text: string | null
}

export function linkFactReads({ db }: Context) {
  const query = <R>(sql: string) => {
    const prepared = statement<[string], R>(db, sql)
    return (values: readonly (number | string)[] = []): R[] =>
      values.length === 0 ? [] : prepared().all(listParameter(values))
  }
  const nodes = query<LinkAnswer['nodes'][number]>(
    `SELECT n.id, n.key FROM ${EACH} nodes n ON n.id = j.value WHERE n.removed_in IS NULL`,
  )
  const named = query<DocumentName>(`SELECT ${NAME} FROM ${EACH} document_names x ON x.name = j.value`)
  const headings = query<LinkAnswer['headingsNamed'][number]>(
    `SELECT n.name, n.key, n.id, n.document_id AS documentId, ${DEPTH} AS depth
     FROM ${EACH} nodes n ON n.name = j.value AND n.name IS NOT NULL`,
  )
  const places = query<{ documentId: number; kind: DocumentKind; collection: string; name: string }>(
    `SELECT d.id AS documentId, d.kind, d.collection, d.name FROM ${EACH} documents d ON d.id = j.value`,
  )
  const headingsIn = query<LinkAnswer['headingsIn'][number]>(
    `SELECT DISTINCT n.document_id AS documentId, n.name FROM ${EACH} nodes n ON n.document_id = j.value
     WHERE n.name IS NOT NULL ORDER BY n.name`,
  )
  const marks = query<LinkAnswer['marksIn'][number]>(
    `SELECT n.document_id AS documentId, n.key, t.body AS text FROM ${EACH} nodes n ON n.document_id = j.value
     JOIN texts t ON t.id = n.text_id WHERE n.removed_in IS NULL AND instr(t.body, '^') > 0 ORDER BY n.id`,
  )
  const naming = query<SqlNaming>(
    `SELECT d.id AS documentId, CASE WHEN d.kind IN ('source', 'file') THEN d.name END AS path,
       coalesce((${firstRoot(`AND r.type <> 'preamble'`)}), (${firstRoot('')})) AS root, n.key, t.body AS text
     FROM ${EACH} documents d ON d.id = j.value
     LEFT JOIN nodes n ON n.key = (${firstRoot('')}) AND n.type = 'preamble' LEFT JOIN texts t ON t.id = n.text_id`,
  )
  const lists = query<{ key: number; text: string }>(
    `SELECT n.parent_key AS key, t.body AS text FROM ${EACH} nodes n ON n.parent_key = j.value AND n.type = 'list'
     JOIN texts t ON t.id = n.text_id ORDER BY n.position`,
  )
  const ofDocuments = query<DocumentName>(
    `SELECT ${NAME} FROM ${EACH} document_names x ON x.document_id = j.value`,
  )
  const namesIn = (documents: readonly number[]): DocumentName[] => ofDocuments(documents).map(toName)

  function namesOf(asked: readonly number[] = []): DocumentNaming[] {
    const documents = naming(asked)
    const fronts = documents.flatMap(({ key }) => key ?? [])
    const below = Map.groupBy(lists(fronts), ({ key }) => key)
    const stored = Map.groupBy(namesIn(asked), ({ documentId }) => documentId)
    return documents.map(({ documentId, path, root, key, text }) => ({
      documentId,
      path,
      root,
      front: [text ?? [], (below.get(key ?? 0) ?? []).map((list) => list.text)].flat(),
      names: (stored.get(documentId) ?? []).map(({ name, isAlias }) => ({ name, isAlias })),
    }))
  }

  return {
    namesIn,
    linkFacts(asked: LinkQuestion): LinkAnswer {
      const documentsNamed = named(asked.documentsNamed)
      const headingsNamed = headings(asked.headingsNamed)
      const mentioned = new Set(asked.places)
      for (const { documentId } of [...documentsNamed, ...headingsNamed]) mentioned.add(documentId)
      return {
        nodes: nodes(asked.nodes),
        documentsNamed: documentsNamed.map(toName),
        headingsNamed,
        places: places([...mentioned]).map(({ documentId, kind, collection, name }) => {
          return { documentId, address: toAddress(kind, collection, name) }
        }),
        headingsIn: headingsIn(asked.headingsIn),
        marksIn: marks(asked.marksIn),
        namesOf: namesOf(asked.namesOf),
      }
    },
  }
}
