import type { LinkOrigin, LinkSelect, StoredLink } from '../../core/port/links.ts'
import type { WriteSet } from '../../core/port/write-set.ts'
import { type Context, listParameter } from './context.ts'
import { statement } from './statements.ts'

export interface SqlStoredLink extends Omit<StoredLink, 'asleep'> {
  origin: LinkOrigin
  asleep: number
}

export const LINK_COLUMNS = `l.id, l.source_key AS sourceKey, n.document_id AS documentId, l.origin, l.place, l.label, l.source,
  l.target_id AS wantedId, l.name, l.file, l.section, l.weight, l.target_key AS targetKey, l.asleep, l.created_at AS createdAt`
const SOURCE = 'CROSS JOIN nodes n ON n.key = l.source_key'
const EACH = 'json_each(?) j CROSS JOIN'

/** Every way to links goes by an index, however many there are. Conditions are worded as the partial indexes are. */
const QUERIES = {
  of: `${EACH} links l ON l.source_key = j.value ${SOURCE}`,
  inDocuments: `${EACH} nodes n ON n.document_id = j.value CROSS JOIN links l ON l.source_key = n.key WHERE l.asleep = 0`,
  named: `${EACH} links l ON l.name = j.value AND l.target_id = '' ${SOURCE} WHERE l.asleep = 0`,
  toFiles: `${EACH} links l ON l.file = j.value AND l.file <> '' ${SOURCE} WHERE l.asleep = 0`,
  intoFiles: `${EACH} links l ON l.file = j.value AND l.file <> '' AND l.section > '' ${SOURCE} WHERE l.asleep = 0`,
  toSections: `${EACH} links l ON l.section = j.value AND l.section <> '' ${SOURCE} WHERE l.asleep = 0`,
  toOwnBlocksOf: `links l ${SOURCE} WHERE l.section >= '^' AND l.section < '_' AND l.section <> '' AND l.file = ''
    AND l.asleep = 0 AND n.document_id IN (SELECT value FROM json_each(?))`,
  toIds: `${EACH} links l ON l.target_id = j.value AND l.target_id <> '' ${SOURCE} WHERE l.asleep = 0`,
} satisfies Partial<Record<keyof LinkSelect, string>>

/** A name that many links ask for costs those that lead elsewhere: the target is in the index. */
const ASTRAY = [
  `links l ${SOURCE} WHERE l.file = @name AND l.file <> '' AND l.section = '' AND l.target_key IS NOT @target AND l.asleep = 0`,
  `links l ${SOURCE} WHERE l.name = @name AND l.target_id = '' AND l.target_key IS NOT @target AND l.asleep = 0`,
]

export function linkRowReads({ db }: Context) {
  const queries = Object.entries(QUERIES).map(([name, from]) => ({
    name: name as keyof typeof QUERIES,
    query: statement<[string], SqlStoredLink>(db, `SELECT ${LINK_COLUMNS} FROM ${from}`),
  }))
  const astray = ASTRAY.map((from) =>
    statement<[{ name: string; target: number | null }], SqlStoredLink>(
      db,
      `SELECT ${LINK_COLUMNS} FROM ${from}`,
    ),
  )

  return {
    links(select: LinkSelect): StoredLink[] {
      const found = new Map<number, SqlStoredLink>()
      for (const { name, query } of queries) {
        const values = select[name] ?? []
        if (values.length > 0) for (const row of query().all(listParameter(values))) found.set(row.id, row)
      }
      for (const target of select.astray ?? [])
        for (const query of astray) for (const row of query().iterate(target)) found.set(row.id, row)
      if (found.size === 0) return []
      return [...found.values()].sort((a, b) => a.place - b.place).map(toStoredLink)
    },
  }
}

export function toStoredLink({ asleep, ...row }: SqlStoredLink): StoredLink {
  return { ...row, asleep: asleep !== 0 }
}

export function linkRowWrites({ db }: Context) {
  const put = statement<[Record<string, unknown>]>(
    db,
    `INSERT INTO links (id, source_key, origin, label, name, source, target_id, file, section, weight, place, target_key,
       asleep, created_at)
     VALUES (@id, @sourceKey, @origin, @label, @name, @source, @wantedId, @file, @section, @weight, @place, @targetKey,
       @asleep, @createdAt)
     ON CONFLICT (id) DO UPDATE SET label = @label, name = @name, file = @file, section = @section, weight = @weight,
       place = @place, target_key = @targetKey, asleep = @asleep`,
  )
  const remove = statement<[number]>(db, 'DELETE FROM links WHERE id = ?')
  const putName = statement<[number, string, number]>(
    db,
    'INSERT OR REPLACE INTO document_names (document_id, name, is_alias) VALUES (?, ?, ?)',
  )
  const removeName = statement<[number, string]>(
    db,
    'DELETE FROM document_names WHERE document_id = ? AND name = ?',
  )
  return {
    changeLinks(links: NonNullable<WriteSet['links']>): void {
      for (const id of links.remove) remove().run(id)
      for (const row of links.put) put().run({ ...row, asleep: Number(row.asleep) })
    },
    changeNames(names: NonNullable<WriteSet['documentNames']>): void {
      for (const { documentId, name } of names.remove) removeName().run(documentId, name)
      for (const { documentId, name, isAlias } of names.put) putName().run(documentId, name, Number(isAlias))
    },
  }
}
