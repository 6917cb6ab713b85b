import { type Check, countOf, fail, pass } from './check.ts'
import type { Context } from './context.ts'

const LOST = 'NOT EXISTS (SELECT 1 FROM snapshots s WHERE s.id = snapshot_id)'

/** Texts with what their count says and how many refer to them. */
const TEXT_COUNTS = `SELECT t.id, t.refs, coalesce(r.refs, 0) AS counted FROM texts t LEFT JOIN (
  SELECT text_id, count(*) AS refs FROM (
    SELECT text_id FROM versions UNION ALL SELECT text_id FROM document_versions UNION ALL SELECT text_id FROM documents)
  GROUP BY text_id) r ON r.text_id = t.id`

/** A live node's text is held by its newest version: where that one is lost, HEAD gets one. */
const ADOPT_LIVE = `INSERT INTO versions (node_key, snapshot_id, op, parent_key, position, type, format, label, text_id)
  SELECT n.key, p.head_id,
    CASE WHEN EXISTS (SELECT 1 FROM versions v JOIN snapshots s ON s.id = v.snapshot_id WHERE v.node_key = n.key)
      THEN 'mod' ELSE 'add' END,
    n.parent_key, n.position, n.type, n.format,
    (SELECT v.label FROM versions v WHERE v.node_key = n.key ORDER BY v.snapshot_id DESC LIMIT 1), n.text_id
  FROM nodes n JOIN spaces p ON p.id = ?
  WHERE n.removed_in IS NULL AND n.text_id IS NOT (SELECT v.text_id FROM versions v
    JOIN snapshots s ON s.id = v.snapshot_id WHERE v.node_key = n.key ORDER BY v.snapshot_id DESC LIMIT 1)
  ON CONFLICT DO UPDATE SET parent_key = excluded.parent_key, position = excluded.position, type = excluded.type,
    format = excluded.format, label = excluded.label, text_id = excluded.text_id`

const RECOUNT = `UPDATE texts SET refs = c.counted FROM (${TEXT_COUNTS}) c WHERE c.id = texts.id AND c.refs <> c.counted`

export function danglingCheck({ db, spaceId }: Context): Check {
  return {
    name: 'dangling_diffs',
    run() {
      const count =
        countOf(db, `SELECT count(*) AS count FROM versions WHERE ${LOST}`) +
        countOf(db, `SELECT count(*) AS count FROM document_versions WHERE ${LOST}`)
      return count === 0 ? pass('no dangling diffs') : fail(`${count} diff rows reference a missing snapshot`)
    },
    heal() {
      db.prepare(ADOPT_LIVE).run(spaceId)
      db.prepare(`DELETE FROM versions WHERE ${LOST}`).run()
      db.prepare(`DELETE FROM document_versions WHERE ${LOST}`).run()
      recount({ db })
    },
  }
}

export function textRefsCheck({ db, spaceId }: Context): Check {
  return {
    name: 'text_refs',
    run() {
      const wrong = countOf(
        db,
        `SELECT count(*) AS count FROM (${TEXT_COUNTS}) WHERE refs <> counted OR counted = 0`,
      )
      const total = countOf(db, 'SELECT count(*) AS count FROM texts')
      return wrong === 0
        ? pass(`${total} texts, each counted right`)
        : fail(`${wrong} texts have a wrong reference count`)
    },
    heal() {
      db.prepare(ADOPT_LIVE).run(spaceId)
      recount({ db })
    },
  }
}

function recount({ db }: Pick<Context, 'db'>): void {
  db.prepare(RECOUNT).run()
  db.prepare('DELETE FROM texts WHERE refs <= 0').run()
}
