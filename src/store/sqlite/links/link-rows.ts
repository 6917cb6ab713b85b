import type {
  LinkDirection,
  LinkFields,
  LinkPage,
  LinkReads,
  LinksAt,
  LinksFitting,
} from '../../../core/port/links.ts'
import type { WriteSet } from '../../../core/port/write-set.ts'
import { type Context, listParameter } from '../database/context.ts'
import { columnsOf, selected, TABLES } from '../database/rows.ts'
import {
  insertion,
  limitOf,
  type Parameters,
  removal,
  type Sync,
  statements,
} from '../database/statements.ts'

type FieldName = keyof LinkFields
type Row = LinkFields[FieldName]

type SqlEnds = Omit<LinkFields['ends'], 'origin'> & { origin: number }

/** What is read of a link `l`. */
const FIELDS: Record<FieldName, { columns: string; join: string; toRow: (row: never) => Row }> = {
  stored: {
    columns: `${selected('l', TABLES.links)}, n.document_id AS documentId`,
    join: 'CROSS JOIN nodes n ON n.key = l.source_key',
    toRow: toLink<LinkFields['stored']>,
  },
  ends: {
    // Numbers only: reading a text for each link would dominate.
    columns: `l.id, l.source_key AS sourceKey, l.target_key AS targetKey, l.origin = 'manual' AS origin, l.place, l.weight`,
    join: '',
    toRow: (row: SqlEnds): Row =>
      Object.assign(row, { origin: row.origin === 1 ? 'manual' : 'parsed' } as const),
  },
}

export function toLink<R extends { asleep: unknown }>(row: R): R {
  return { ...row, asleep: row.asleep !== 0 }
}

interface Shape {
  from: string
  where: string
}

const each = (on: string, where = 'l.asleep = 0'): Shape => ({
  from: `json_each(@list) j CROSS JOIN links l ON ${on}`,
  where,
})

/** Each selection uses an index. Conditions are written exactly as in the partial indexes. */
const FITTING = {
  of: each('l.source_key = j.value', 'TRUE'),
  inDocuments: {
    from: 'json_each(@list) j CROSS JOIN nodes m ON m.document_id = j.value CROSS JOIN links l ON l.source_key = m.key',
    where: 'l.asleep = 0',
  },
  named: each(`l.name = j.value AND l.target_id = ''`),
  toFiles: each(`l.file = j.value AND l.file <> ''`),
  intoFiles: each(`l.file = j.value AND l.file <> '' AND l.section > ''`),
  toSections: each(`l.section = j.value AND l.section <> ''`),
  toOwnBlocksOf: {
    from: 'links l CROSS JOIN nodes m ON m.key = l.source_key',
    where: `l.section >= '^' AND l.section < '_' AND l.section <> '' AND l.file = '' AND l.asleep = 0
      AND m.document_id IN (SELECT value FROM json_each(@list))`,
  },
  toIds: each(`l.target_id = j.value AND l.target_id <> ''`),
} satisfies Partial<Record<keyof LinksFitting, Shape>>

/** At most `newest` links in total: with fewer, no node has more than its share. */
const firstAt = (end: 'source_key' | 'target_key'): Shape =>
  each(`l.${end} = j.value`, `TRUE ${limitOf('@newest')}`)
/** Older links are skipped in the index, so a node with a million links costs no more than `newest`. */
const at = (end: 'source_key' | 'target_key'): Shape =>
  each(
    `l.${end} = j.value AND l.id > coalesce((SELECT o.id FROM links o WHERE o.${end} = j.value
       ORDER BY o.id DESC LIMIT 1 OFFSET CAST(@newest AS INTEGER)), 0)`,
    'l.target_key IS NOT NULL',
  )
const pageOf = (condition: string): Shape => ({
  from: 'links l',
  where: `(l.source_key, l.id) > (@source, @id) AND ${condition} AND l.asleep = 0
    ORDER BY l.source_key, l.id ${limitOf('@limit')}`,
})

/** The target is in the index: only links with another target are read, however many have the name. */
const astray = (condition: string): Shape => ({
  from: 'links l',
  where: `${condition} AND l.target_key IS NOT @target AND l.asleep = 0`,
})

const SHAPES = {
  ...FITTING,
  astrayFile: astray(`l.file = @name AND l.file <> '' AND l.section = ''`),
  astrayName: astray(`l.name = @name AND l.target_id = ''`),
  out: at('source_key'),
  in: at('target_key'),
  firstOut: firstAt('source_key'),
  firstIn: firstAt('target_key'),
  pending: pageOf('l.target_key IS NULL'),
  leading: pageOf('l.target_key IS NOT NULL'),
} satisfies Record<string, Shape>
type ShapeName = keyof typeof SHAPES | LinkDirection

export function linksSql(shape: ShapeName, fields: FieldName): string {
  const { from, where } = SHAPES[shape]
  const { columns, join } = FIELDS[fields]
  return `SELECT ${columns} FROM ${from} ${join} WHERE ${where}`
}

export function linkRowReads({ db }: Context): Sync<Pick<LinkReads, 'links'>> {
  const read = statements(db)
  const ask = (shape: ShapeName, fields: FieldName, parameters: Parameters): Row[] =>
    read(`${shape} ${fields}`, parameters, () => linksSql(shape, fields))

  function fitting(select: LinksFitting, fields: FieldName): Row[] {
    const found = new Map<number, Row>()
    const add = (rows: Row[]): void => {
      for (const row of rows) found.set(row.id, row)
    }
    for (const name of Object.keys(FITTING) as (keyof typeof FITTING)[]) {
      const list = select[name] ?? []
      if (list.length > 0) add(ask(name, fields, { list: listParameter(list) }))
    }
    for (const asked of select.astray ?? [])
      for (const name of ['astrayFile', 'astrayName'] as const) add(ask(name, fields, { ...asked }))
    return [...found.values()].sort((a, b) => a.place - b.place)
  }
  function linksAt({ direction, keys, newest }: LinksAt, fields: FieldName): Row[] {
    const asked = { list: listParameter(keys), newest }
    const first = ask(direction === 'out' ? 'firstOut' : 'firstIn', fields, asked)
    if (first.length < newest) return first.filter(({ targetKey }) => targetKey !== null)
    return ask(direction, fields, asked)
  }
  function page({ pending, after, limit }: LinkPage, fields: FieldName): Row[] {
    const { sourceKey: source, id } = after ?? { sourceKey: 0, id: 0 }
    return ask(pending ? 'pending' : 'leading', fields, { source, id, limit })
  }

  return {
    links<F extends FieldName = 'stored'>(select: LinksFitting | LinksAt | LinkPage, fields?: F) {
      const name = fields ?? 'stored'
      const rows =
        'direction' in select
          ? linksAt(select, name)
          : 'pending' in select
            ? page(select, name)
            : fitting(select, name)
      return rows.map(FIELDS[name].toRow as (row: Row) => LinkFields[F])
    },
  }
}

export function linkRowWrites({ db }: Context) {
  const put = insertion(
    db,
    'INSERT INTO links',
    TABLES.links,
    `ON CONFLICT (id) DO UPDATE SET label = excluded.label, name = excluded.name, file = excluded.file, section = excluded.section,
       weight = excluded.weight, place = excluded.place, target_key = excluded.target_key, asleep = excluded.asleep`,
  )
  const remove = removal(db, 'links', columnsOf('id'))
  const putName = insertion(db, 'INSERT OR REPLACE INTO document_names', columnsOf('documentId name isAlias'))
  const removeName = removal(db, 'document_names', columnsOf('documentId name'))
  return {
    changeLinks(links: NonNullable<WriteSet['links']>): void {
      for (const id of links.remove) remove({ id })
      for (const row of links.put) put(row)
    },
    changeNames(names: NonNullable<WriteSet['documentNames']>): void {
      for (const row of names.remove) removeName(row)
      for (const row of names.put) putName(row)
    },
  }
}
