import type { Database } from 'better-sqlite3'
import { plural } from '../../util/terminal-units.ts'
import { type Check, fail, pass } from './check.ts'
import type { Context } from './context.ts'
import { remark } from './health-nodes.ts'

const BELOW = `WITH RECURSIVE below (key) AS (
    SELECT value FROM json_each(?)
    UNION SELECT n.key FROM below b CROSS JOIN nodes n ON n.parent_key = b.key WHERE n.removed_in IS NULL)
  SELECT count(*) AS count FROM below`

/** Nodes that no walk from a root reaches: those whose ancestors go round in a circle. Orphans have their own check. */
export function unreachableCheck(context: Context): Check {
  const { db } = context
  return {
    name: 'unreachable_nodes',
    run() {
      const cycles = findCycles(db)
      if (cycles.length === 0) return pass('every node is below a root')
      const below = db.prepare<[string], { count: number }>(BELOW).get(JSON.stringify(cycles))
      return fail(
        `${plural(below?.count ?? 0, 'node is', 'nodes are')} below no root: ${plural(cycles.length, 'circle')} of parents`,
      )
    },
    heal() {
      const uproot = db.prepare('UPDATE nodes SET parent_key = NULL WHERE key = ?')
      for (const key of findCycles(db)) uproot.run(key)
      remark(context)
    },
  }
}

/**
 * The lowest key of each cycle. Somewhere a cycle goes up from a key to one that is not lower: only such nodes, few in
 * most memories, need to be followed. No node is followed twice.
 */
function findCycles(db: Database): number[] {
  const parentOf = db.prepare<[number], { parent_key: number | null }>(
    'SELECT parent_key FROM nodes WHERE key = ? AND removed_in IS NULL',
  )
  const starts = db
    .prepare<[], { key: number }>('SELECT key FROM nodes WHERE removed_in IS NULL AND parent_key >= key')
    .all()
  const settled = new Set<number>()
  return starts.flatMap(({ key }) => {
    const cycle = followUp(key, settled, (child) => parentOf.get(child)?.parent_key ?? null)
    return cycle.length === 0 ? [] : [cycle.reduce((lowest, member) => Math.min(lowest, member))]
  })
}

/** The cycle that the way up from `start` ends in, if it does and was not met before. */
function followUp(start: number, settled: Set<number>, parentOf: (key: number) => number | null): number[] {
  const way = new Set<number>()
  let key: number | null = start
  while (key !== null && !settled.has(key) && !way.has(key)) {
    way.add(key)
    key = parentOf(key)
  }
  for (const passed of way) settled.add(passed)
  if (key === null || !way.has(key)) return []
  const steps = [...way]
  return steps.slice(steps.indexOf(key))
}
