import { nodeMark } from '../../core/digest.ts'
import type { NodeState } from '../../core/model.ts'
import { plural } from '../../util/terminal-units.ts'
import { type Check, countOf, fail, pass } from './check.ts'
import type { Context } from './context.ts'

const ORPHANS = `removed_in IS NULL AND parent_key IS NOT NULL AND NOT EXISTS
  (SELECT 1 FROM nodes p WHERE p.key = nodes.parent_key AND p.removed_in IS NULL)`

export function orphanCheck(context: Context): Check {
  const { db } = context
  return {
    name: 'orphan_parent_id',
    run() {
      const count = countOf(db, `SELECT count(*) AS count FROM nodes WHERE ${ORPHANS}`)
      return count === 0
        ? pass('no orphans')
        : fail(`${plural(count, 'node references', 'nodes reference')} a missing parent_id`)
    },
    heal() {
      db.prepare(`UPDATE nodes SET parent_key = NULL WHERE ${ORPHANS}`).run()
      remark(context)
    },
  }
}

export function cursorHashCheck(context: Context): Check {
  const { db, spaceId } = context
  return {
    name: 'cursor_hash',
    run() {
      const stored = db
        .prepare<[number], { digest: string; head: string | null }>(
          `SELECT lower(hex(p.state_digest)) AS digest, s.cursor_hash AS head
           FROM spaces p LEFT JOIN snapshots s ON s.id = p.head_id WHERE p.id = ?`,
        )
        .get(spaceId)
      const { sum: counted, wrong } = countMarks(context)
      if (stored?.digest !== counted) return fail('the state digest does not match the nodes')
      if (wrong.length > 0)
        return fail(`${plural(wrong.length, 'node has', 'nodes have')} a wrong share of the state digest`)
      if (stored.head !== null && stored.head !== counted)
        return fail('the HEAD snapshot has another cursor_hash than the nodes')
      return pass(`cursor_hash ${counted} matches the nodes`)
    },
    heal: () => remark(context),
  }
}

type MarkRow = Omit<NodeState, 'parentKey' | 'digest'> & {
  key: number
  id: string
  parent_id: string | null
  digest: Buffer
  /** As hex digits. */
  mark: string
}

/** Every live node's mark, computed anew from what the node says. */
function* freshMarks({ db, hash }: Context): Generator<{ row: MarkRow; mark: bigint }> {
  const rows = db.prepare<[], MarkRow>(
    `SELECT n.key, n.id, p.id AS parent_id, n.position, n.type, n.format, v.label, t.digest, n.links,
       lower(hex(n.mark)) AS mark
     FROM nodes n LEFT JOIN nodes p ON p.key = n.parent_key JOIN texts t ON t.id = n.text_id
     LEFT JOIN versions v ON v.node_key = n.key AND v.snapshot_id =
       (SELECT max(e.snapshot_id) FROM versions e WHERE e.node_key = n.key)
     WHERE n.removed_in IS NULL`,
  )
  for (const row of rows.iterate()) {
    yield { row, mark: nodeMark(hash, row.id, row.parent_id, { ...row, digest: row.digest.toString('hex') }) }
  }
}

interface CountedMarks {
  /** As 16 hex digits. */
  sum: string
  /** Nodes whose stored mark is another one. */
  wrong: { key: number; mark: string }[]
}

function countMarks(context: Context): CountedMarks {
  const wrong: CountedMarks['wrong'] = []
  let sum = 0n
  for (const { row, mark } of freshMarks(context)) {
    sum += mark
    if (row.mark !== toHex(mark)) wrong.push({ key: row.key, mark: toHex(mark) })
  }
  return { sum: toHex(sum), wrong }
}

function toHex(value: bigint): string {
  return BigInt.asUintN(64, value).toString(16).padStart(16, '0')
}

/** Writes marks, state digest and the head's cursor_hash as the nodes say. */
export function remark(context: Context): void {
  const { db, spaceId } = context
  const { sum, wrong } = countMarks(context)
  const set = db.prepare('UPDATE nodes SET mark = unhex(?) WHERE key = ?')
  for (const { key, mark } of wrong) set.run(mark, key)
  db.prepare('UPDATE spaces SET state_digest = unhex(?) WHERE id = ?').run(sum, spaceId)
  db.prepare('UPDATE snapshots SET cursor_hash = ? WHERE id = (SELECT head_id FROM spaces WHERE id = ?)').run(
    sum,
    spaceId,
  )
}
