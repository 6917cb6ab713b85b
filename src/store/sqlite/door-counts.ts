import type { Attributes } from '../../core/port/doors.ts'
import type { Context } from './context.ts'
import { statement } from './statements.ts'
import { TEXT_BYTES } from './text-bytes.ts'

const KINDS = ['key', 'record']

/** Nobody asks how many files there are. */
export function isCountedKind(kind: string | undefined): boolean {
  return kind !== undefined && KINDS.includes(kind)
}

/** Whether a live document that is put again is counted as before. The size of a record's text is counted too. */
export function isCountedAlike(kind: string, before: Attributes, after: Attributes = {}): boolean {
  const said = (attributes: Attributes): string =>
    JSON.stringify([...COUNTED_ATTRIBUTES, 'tags'].map((name) => attributes[name]))
  return kind !== 'record' && said(before) === said(after)
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

/** How a document is counted. */
interface Counted {
  kind: string
  state: string
  archived: string | number
  type: string | number
  importance: string | number
  status: string | number
  bytes: number
  /** JSON. */
  tags: string
}

/** How many there are of each sort, kept with every change: counting them would cost what is there. */
export function doorCountWrites({ db, ownerId: owner }: Context) {
  const look = statement<[number], Counted>(
    db,
    `SELECT ${CLASS}, ${BYTES} AS bytes, CASE WHEN ${HAS_TAGS} THEN
       (SELECT json_group_array(g.tag) FROM document_tags g WHERE g.document_id = d.id) ELSE '[]' END AS tags
     FROM documents d LEFT JOIN texts t ON t.id = d.text_id WHERE d.id = ? AND ${IS_COUNTED}`,
  )
  const bump = statement<[Omit<Counted, 'tags'> & { owner: number; by: number }]>(
    db,
    `INSERT INTO door_counts (owner_id, ${NAMES}, count, bytes)
     VALUES (@owner, @kind, @state, @archived, @type, @importance, @status, @by, @bytes)
     ON CONFLICT DO UPDATE SET count = count + excluded.count, bytes = bytes + excluded.bytes`,
  )
  const bumpTag = statement<[number, string, string, number]>(
    db,
    `INSERT INTO tag_counts (owner_id, kind, tag, count) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET count = count + excluded.count`,
  )
  const dropNone = statement<[Omit<Counted, 'tags'> & { owner: number }]>(
    db,
    `DELETE FROM door_counts WHERE owner_id = @owner AND kind = @kind AND state = @state AND archived = @archived AND type = @type
       AND importance = @importance AND status = @status AND count = 0`,
  )
  const dropNoTag = statement<[number, string, string]>(
    db,
    'DELETE FROM tag_counts WHERE owner_id = ? AND kind = ? AND tag = ? AND count = 0',
  )

  function add({ tags: _, ...counted }: Counted, by: number, bytes: number): void {
    if (by === 0 && bytes === 0) return
    bump().run({ ...counted, owner, by, bytes })
    if (by < 0) dropNone().run({ ...counted, owner })
  }
  function addTags(kind: string, tags: readonly string[], by: number): void {
    for (const tag of tags) {
      bumpTag().run(owner, kind, tag, by)
      if (by < 0) dropNoTag().run(owner, kind, tag)
    }
  }
  function note(before: Counted | undefined, after: Counted | undefined): void {
    if (before && after && isSameClass(before, after)) add(after, 0, after.bytes - before.bytes)
    else {
      if (before) add(before, -1, -before.bytes)
      if (after) add(after, 1, after.bytes)
    }
    if (before?.tags === after?.tags) return
    const [had, has] = [tagsOf(before), tagsOf(after)]
    if (before) addTags(before.kind, except(had, has), -1)
    if (after) addTags(after.kind, except(has, had), 1)
  }

  return {
    /** Counts a document of a door that was not there before. */
    countNew: (documentId: number): void => note(undefined, look().get(documentId)),
    /** Whatever changes a document of a door happens inside. */
    counting<T>(documentId: number, change: () => T): T {
      const before = look().get(documentId)
      const changed = change()
      note(before, look().get(documentId))
      return changed
    },
    countAgain: (): void => void db.exec(COUNT_AGAIN),
  }
}

function isSameClass(one: Counted, other: Counted): boolean {
  return one.state === other.state && COUNTED_ATTRIBUTES.every((name) => one[name] === other[name])
}

function tagsOf(counted: Counted | undefined): Set<string> {
  return new Set(JSON.parse(counted?.tags ?? '[]') as string[])
}

function except(some: ReadonlySet<string>, others: ReadonlySet<string>): string[] {
  return [...some].filter((one) => !others.has(one))
}
