import type { ReadingRow } from '../../core/port/outline.ts'
import type { Context } from './context.ts'
import { EFFECTIVE_HEAT } from './heat.ts'
import { SHOWN_NAME } from './rows.ts'
import { limitOf, statement } from './statements.ts'

/** Of a way upwards: only a damaged memory, which leads in circles, is longer. */
const LONGEST_WAY = 10_000

const COLUMNS = `n.key, n.id, n.type, n.label, n.tokens, coalesce(${EFFECTIVE_HEAT}, 0) AS temperature,
  ${SHOWN_NAME} AS source, n.parent_key AS parentKey, w.distance, coalesce(t.body, '') AS text`
const TABLES = `walk w CROSS JOIN nodes n ON n.key = w.key CROSS JOIN documents d ON d.id = n.document_id
  CROSS JOIN spaces s ON s.id = d.space_id
  LEFT JOIN heat h ON h.node_key = n.key LEFT JOIN texts t ON t.id = n.text_id`

// What is found first is followed first, in the index of siblings, and the limit ends the walk. A removed node has no parent.
const BELOW = `WITH RECURSIVE walk (key, distance) AS (
    SELECT key, 0 FROM nodes WHERE id = ? AND removed_in IS NULL
    UNION ALL SELECT n.key, w.distance + 1 FROM walk w CROSS JOIN nodes n ON n.parent_key = w.key
    WHERE w.distance < ? ${limitOf()})
  SELECT ${COLUMNS} FROM ${TABLES}`
const ABOVE = `WITH RECURSIVE walk (key, distance) AS (
    SELECT parent_key, 1 FROM nodes WHERE key = ? AND parent_key IS NOT NULL
    UNION ALL SELECT n.parent_key, w.distance + 1 FROM walk w CROSS JOIN nodes n ON n.key = w.key
    WHERE n.parent_key IS NOT NULL LIMIT ${LONGEST_WAY})
  SELECT ${COLUMNS} FROM ${TABLES}`

/** Nodes with their texts around one of them. One statement each: a reading is short, and every other one costs more than a row. */
export function readingReads({ db }: Context) {
  const below = statement<[string, number, number], ReadingRow>(db, BELOW)
  const above = statement<[number], ReadingRow>(db, ABOVE)
  return {
    readingBelow: (id: string, { depth, limit }: { depth: number; limit: number }): ReadingRow[] =>
      below().all(id, depth, limit),
    readingAbove: (key: number): ReadingRow[] => withoutCircle(key, above().all(key)),
  }
}

/** A damaged memory may lead in circles: up to where it comes back. */
function withoutCircle(key: number, rows: ReadingRow[]): ReadingRow[] {
  const seen = new Set([key])
  const end = rows.findIndex((row) => seen.size === seen.add(row.key).size)
  return end < 0 ? rows : rows.slice(0, end)
}
