import type { WriteSet } from '../../core/port/write-set.ts'
import type { Context } from './context.ts'
import { statement } from './statements.ts'
import { TEXT_BYTES } from './text-bytes.ts'

const KINDS = ['key', 'record']

/** Nobody asks how many files there are. */
export function isCountedKind(kind: string | undefined): boolean {
  return kind !== undefined && KINDS.includes(kind)
}

/** By what documents are counted. */
export const COUNTED_ATTRIBUTES = ['archived', 'type', 'importance', 'status'] as const

const CLASS = `d.kind, d.state, ${COUNTED_ATTRIBUTES.map((name) => `coalesce(d.attributes ->> '$.${name}', '') AS ${name}`).join(', ')}`
const NAMES = `kind, state, ${COUNTED_ATTRIBUTES.join(', ')}`
/** Nobody asks how large all values are, and a file would have to be added up for every piece of it. */
const BYTES = `CASE d.kind WHEN 'record' THEN coalesce(${TEXT_BYTES}, 0) ELSE 0 END`
const IS_COUNTED = `d.kind IN (${KINDS.map((kind) => `'${kind}'`).join(', ')}) AND d.state <> 'removed'`
/** What is archived was put away: its tags are not shown either. */
const HAS_TAGS = `d.state = 'live' AND (d.kind = 'key' OR (d.kind = 'record' AND d.attributes ->> '$.archived' = 0))`

/** What `door_counts` and `tag_counts` should say. */
export const DOOR_COUNTS = `SELECT d.owner_id, ${CLASS}, count(*) AS count, sum(${BYTES}) AS bytes
  FROM documents d LEFT JOIN texts t ON t.id = d.text_id WHERE ${IS_COUNTED} GROUP BY 1, 2, 3, 4, 5, 6, 7`
export const TAG_COUNTS = `SELECT d.owner_id, d.kind, g.tag, count(*) AS count
  FROM document_tags g JOIN documents d ON d.id = g.document_id WHERE ${HAS_TAGS} GROUP BY 1, 2, 3`
export const COUNT_AGAIN = `DELETE FROM door_counts; INSERT INTO door_counts (owner_id, ${NAMES}, count, bytes) ${DOOR_COUNTS};
  DELETE FROM tag_counts; INSERT INTO tag_counts (owner_id, kind, tag, count) ${TAG_COUNTS};`

type CountRow = Record<string, string | number | bigint>

/** Counts that are kept with every change: see `core/write/door-counts.ts`. */
export function doorCountWrites({ db, ownerId: owner }: Context) {
  const add = statement<[CountRow]>(
    db,
    `INSERT INTO door_counts (owner_id, ${NAMES}, count, bytes)
     VALUES (@owner, @kind, @state, @archived, @type, @importance, @status, @count, @bytes)
     ON CONFLICT DO UPDATE SET count = count + excluded.count, bytes = bytes + excluded.bytes`,
  )
  const dropEmpty = statement<[CountRow]>(
    db,
    `DELETE FROM door_counts WHERE owner_id = @owner AND kind = @kind AND state = @state AND archived = @archived AND type = @type
       AND importance = @importance AND status = @status AND count = 0`,
  )
  const addTag = statement<[CountRow]>(
    db,
    `INSERT INTO tag_counts (owner_id, kind, tag, count) VALUES (@owner, @kind, @tag, @count)
     ON CONFLICT DO UPDATE SET count = count + excluded.count`,
  )
  const dropEmptyTag = statement<[CountRow]>(
    db,
    'DELETE FROM tag_counts WHERE owner_id = @owner AND kind = @kind AND tag = @tag AND count = 0',
  )
  return {
    addCounts({ doorCounts = [], tagCounts = [] }: Pick<WriteSet, 'doorCounts' | 'tagCounts'>): void {
      for (const row of doorCounts) {
        const values = { owner, ...integers({ ...row }) }
        add().run(values)
        if (row.count <= 0) dropEmpty().run(values)
      }
      for (const row of tagCounts) {
        addTag().run({ owner, ...row })
        if (row.count <= 0) dropEmptyTag().run({ owner, ...row })
      }
    },
  }
}

/** The driver binds numbers as REAL, and these columns keep what they are given. */
function integers(row: Record<string, string | number>): CountRow {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, Number.isInteger(value) ? BigInt(value) : value]),
  )
}
