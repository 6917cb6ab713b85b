import type { Asked } from '../../core/links/resolve.ts'
import type { Context } from './context.ts'
import type { StoredLink } from './link-rows.ts'
import { statement } from './statements.ts'

/** A link, and the document that it is in. */
export interface PlacedLink extends StoredLink {
  document_id: number
}

export function askedBy({ label, source, wanted_id: targetId, document_id: documentId }: PlacedLink): Asked {
  return { label, source, targetId, documentId }
}

const COLUMNS = `l.id, l.source_key, l.origin, l.label, l.name, l.source, l.file, l.section, l.target_id AS wanted_id, l.weight,
  l.place, l.target_key, l.asleep, n.document_id`
export const PLACED = `SELECT ${COLUMNS} FROM links l CROSS JOIN nodes n ON n.key = l.source_key`

/** Gathers, each once, the links that a change may lead elsewhere: by an index, however many links there are. */
export function linkSearches({ db }: Pick<Context, 'db'>) {
  const where = <P extends unknown[]>(condition: string) =>
    statement<P, PlacedLink>(db, `${PLACED} WHERE ${condition} AND l.asleep = 0`)
  const byId = statement<[], { found: number }>(
    db,
    `SELECT 1 AS found FROM links WHERE target_id <> '' LIMIT 1`,
  )
  const allIds = statement<[], { target_id: string }>(
    db,
    `SELECT DISTINCT target_id FROM links WHERE target_id <> ''`,
  )
  const byName = where<[string]>(`l.name = ? AND l.target_id = ''`)
  const byFile = where<[string]>(`l.file = ? AND l.file <> ''`)
  const notThere = where<[string, number | null]>(
    `l.file = ? AND l.file <> '' AND l.section = '' AND l.target_key IS NOT ?`,
  )
  const byAlias = where<[string, number | null]>(`l.name = ? AND l.target_id = '' AND l.target_key IS NOT ?`)
  const inFile = where<[string]>(`l.file = ? AND l.file <> '' AND l.section > ''`)
  const bySection = where<[string]>(`l.section = ? AND l.section <> ''`)
  const ownBlocks = where<[]>(`l.section >= '^' AND l.section < '_' AND l.section <> '' AND l.file = ''`)
  const byRow = where<[number]>('l.id = ?')
  const ofDocument = statement<[number], PlacedLink>(
    db,
    `SELECT ${COLUMNS} FROM nodes n CROSS JOIN links l ON l.source_key = n.key WHERE n.document_id = ? AND l.asleep = 0`,
  )
  const every = statement<[], PlacedLink>(db, `${PLACED} WHERE l.target_id = '' AND l.asleep = 0`)
  const found = new Map<number, PlacedLink>()

  function add(rows: Iterable<PlacedLink>): void {
    for (const row of rows) found.set(row.id, row)
  }

  return {
    hasLinksById: (): boolean => byId().get() !== undefined,
    ids: (): { target_id: string }[] => allIds().all(),
    /** A heading came, went or moved. */
    byHeading(name: string, section: string): void {
      add(byName().all(name))
      add(inFile().all(name))
      if (section !== '') add(bySection().all(section))
    },
    /** A document gained or lost a name, or has it elsewhere. */
    byDocumentName(name: string): void {
      add(byName().all(name))
      add(byFile().all(name))
    },
    /** A document begins with that node now, or has other sections. */
    byKeptName(name: string, root: number | null): void {
      add(notThere().all(name, root))
      add(byAlias().all(name, root))
      add(inFile().all(name))
    },
    /** Blocks of the same document: `[[#^block]]`. */
    ownBlocks(documents: ReadonlySet<number>): void {
      if (documents.size > 0)
        add(
          ownBlocks()
            .all()
            .filter((row) => documents.has(row.document_id)),
        )
    },
    inDocument: (document: number): void => add(ofDocument().all(document)),
    byRow(ids: Iterable<number>): void {
      for (const id of ids) add(byRow().all(id))
    },
    all: (): void => add(every().all()),
    take(): PlacedLink[] {
      const rows = [...found.values()]
      found.clear()
      return rows
    },
  }
}
