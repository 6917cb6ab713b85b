import { linkParts } from '../../core/link-parts.ts'
import { linkKey, type Wanted } from '../../core/links/wanted.ts'
import type { Link } from '../../core/model.ts'
import type { LinkOrigin, LinkTarget } from '../../core/port/links.ts'
import type { Context } from './context.ts'
import { statement } from './statements.ts'
import type { Tally } from './tally.ts'

/** A row of `links`. */
export interface StoredLink {
  id: number
  source_key: number
  origin: LinkOrigin
  label: string
  name: string
  source: string
  file: string
  section: string
  wanted_id: string
  weight: number
  place: number
  target_key: number | null
  asleep: number
}

const COLUMNS =
  'id, source_key, origin, label, name, source, file, section, target_id AS wanted_id, weight, place, target_key, asleep'

/** By the source: a popular target has many links, a text has few. The plus keeps SQLite from going by the target. */
export const OTHERS =
  'SELECT 1 AS found FROM links WHERE source_key = ? AND origin = ? AND +target_key = ? AND id <> ? LIMIT 1'

/** The rows of `links`, and the counts that follow from them: edges by origin, and links that wait. */
export function linkRows({ db, now }: Context, tally: Tally) {
  const ofSource = statement<[number], StoredLink>(
    db,
    `SELECT ${COLUMNS} FROM links WHERE source_key = ? ORDER BY place`,
  )
  const insert = statement<[Record<string, unknown>]>(
    db,
    `INSERT INTO links (source_key, origin, label, name, source, target_id, file, section, weight, place, created_at)
     VALUES (@key, @origin, @label, @name, @source, @targetId, @file, @section, @weight, @place, @at)`,
  )
  const update = statement<[string, number, number, number]>(
    db,
    'UPDATE links SET label = ?, weight = ?, place = ? WHERE id = ?',
  )
  const remove = statement<[number]>(db, 'DELETE FROM links WHERE id = ?')
  const aim = statement<[number | null, number, number]>(
    db,
    'UPDATE links SET target_key = ?, asleep = ? WHERE id = ?',
  )
  const others = statement<[number, LinkOrigin, number, number], { found: number }>(db, OTHERS)
  const misledById = statement<[string, number | null], StoredLink>(
    db,
    `SELECT ${COLUMNS} FROM links WHERE target_id = ? AND target_id <> '' AND asleep = 0 AND target_key IS NOT ?`,
  )

  /** Whether this link is all that makes its edge. */
  function isAlone(row: StoredLink, target: number): boolean {
    return others().get(row.source_key, row.origin, target, row.id) === undefined
  }
  function count(row: StoredLink, target: number | null, by: 1 | -1): void {
    if (target === null) tally.bump('relations_pending', by)
    else if (isAlone(row, target)) tally.bump(`relations.${row.origin}`, by)
  }
  function retarget(row: StoredLink, target: number | null): void {
    count(row, row.target_key, -1)
    aim().run(target, 0, row.id)
    count(row, target, 1)
  }

  return {
    ofSource: (key: number): StoredLink[] => ofSource().all(key),
    /** It waits until its target is looked for. */
    add(key: number, origin: LinkOrigin, { label, weight }: Link, wanted: Wanted, place: number): number {
      const added = insert().run({ key, origin, label, weight, place, at: now(), ...wanted })
      tally.bump('relations_pending', 1)
      return Number(added.lastInsertRowid)
    },
    change: (row: StoredLink, { label, weight }: Link, place: number): void => {
      if (row.label !== label || row.weight !== weight || row.place !== place)
        update().run(label, weight, place, row.id)
    },
    remove(row: StoredLink): void {
      if (row.asleep === 0) count(row, row.target_key, -1)
      remove().run(row.id)
    },
    sleep(row: StoredLink): void {
      if (row.asleep === 0) count(row, row.target_key, -1)
      aim().run(null, 1, row.id)
    },
    wake(row: StoredLink): void {
      if (row.asleep === 0) return
      aim().run(null, 0, row.id)
      tally.bump('relations_pending', 1)
    },
    retarget,
    /** Makes every link by this id lead there. */
    leadById(targetId: string, target: number | null): void {
      for (const row of misledById().all(targetId, target)) retarget(row, target)
    },
  }
}

export type LinkRows = ReturnType<typeof linkRows>

export function storedKey({ label, source, wanted_id: id }: StoredLink): string {
  return linkKey({ label, source, id })
}

export function isAimedAt(row: StoredLink, target: LinkTarget, targetKey: number | null): boolean {
  if ('targetId' in target) {
    return row.wanted_id === target.targetId || (targetKey !== null && row.target_key === targetKey)
  }
  return row.wanted_id === '' && row.name === linkParts(target).name && row.source === target.source
}
