import type { Database } from 'better-sqlite3'
import { MemoryError } from '../../core/errors.ts'

const LOST_PARENT = `SELECT n.id FROM versions v JOIN nodes n ON n.key = v.node_key
  WHERE v.parent_key IS NOT NULL AND NOT EXISTS (SELECT 1 FROM nodes p WHERE p.key = v.parent_key) LIMIT 1`

/** A live node whose parent was not there all the time since the node last changed. */
const PARENT_ABSENT = `SELECT n.id FROM nodes n CROSS JOIN versions c ON c.node_key = n.key AND c.snapshot_id =
    (SELECT max(e.snapshot_id) FROM versions e WHERE e.node_key = n.key)
  WHERE n.removed_in IS NULL AND n.parent_key IS NOT NULL AND (
    (SELECT e.text_id FROM versions e WHERE e.node_key = n.parent_key AND e.snapshot_id <= c.snapshot_id
      ORDER BY e.snapshot_id DESC LIMIT 1) IS NULL
    OR EXISTS (SELECT 1 FROM versions e WHERE e.node_key = n.parent_key AND e.snapshot_id > c.snapshot_id
      AND e.text_id IS NULL)) LIMIT 1`

interface Step {
  snapshot_id: number
  node_key: number
  /** Null for a root, and for a node that went. */
  parent_key: number | null
}

/**
 * What the checks of doctor do not look at, for only a file that somebody made up has it: a past that cannot be gone back
 * to. (A parent that a past version names and that was gone then is no harm: its children come back as roots.)
 */
export function checkHistory(db: Database): void {
  const first = (sql: string) => db.prepare<[], { id: string }>(sql).get()
  const lost = first(LOST_PARENT)
  if (lost) throw refusal(`a version of node ${lost.id} names a parent that is not there`)
  const cycle = findPastCycle(db)
  if (cycle !== undefined) throw refusal(`at snapshot ${cycle} a node is below itself`)
  const early = first(PARENT_ABSENT)
  if (early) throw refusal(`node ${early.id} was under its parent when that was not there`)
}

function refusal(problem: string): MemoryError {
  return new MemoryError('INVALID_INPUT', `${problem}; nothing was imported`)
}

/**
 * The first snapshot at which a node was below itself, if there is one: going back to it would make nodes that no walk
 * reaches. Every cycle has a node whose parent has no lower key; most histories have none of those, and are done at once.
 */
function findPastCycle(db: Database): number | undefined {
  const suspicious = db.prepare('SELECT 1 FROM versions WHERE parent_key >= node_key LIMIT 1')
  if (suspicious.get() === undefined) return undefined
  const steps = db.prepare<[], Step>(
    'SELECT snapshot_id, node_key, parent_key FROM versions ORDER BY snapshot_id, node_key',
  )
  const parents = new Map<number, number | null>()
  let snapshot = 0
  let changed: number[] = []
  for (const step of steps.iterate()) {
    if (step.snapshot_id !== snapshot) {
      if (hasCycle(parents, changed)) return snapshot
      snapshot = step.snapshot_id
      changed = []
    }
    parents.set(step.node_key, step.parent_key)
    changed.push(step.node_key)
  }
  return hasCycle(parents, changed) ? snapshot : undefined
}

/** Whether the way up from one of `keys` comes back to itself. No node is passed twice. */
function hasCycle(parents: ReadonlyMap<number, number | null>, keys: readonly number[]): boolean {
  const settled = new Set<number>()
  return keys.some((start) => {
    const way = new Set<number>()
    let key: number | null = start
    for (; key !== null && !settled.has(key); key = parents.get(key) ?? null) {
      if (way.has(key)) return true
      way.add(key)
    }
    for (const passed of way) settled.add(passed)
    return false
  })
}
