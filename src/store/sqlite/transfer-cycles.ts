import type { Database } from 'better-sqlite3'
import { statement } from './statements.ts'

interface Step {
  snapshot_id: number
  node_key: number
  /** Null for a root, and for a node that went. */
  parent_key: number | null
}

/**
 * The first snapshot at which a node was below itself, if there is one: going back to it would make nodes that no walk
 * reaches. Every cycle has a node whose parent has no lower key; most histories have none of those, and are done at once.
 */
export function findPastCycle(db: Database): number | undefined {
  const suspicious = statement(db, 'SELECT 1 FROM versions WHERE parent_key >= node_key LIMIT 1')
  if (suspicious().get() === undefined) return undefined
  const steps = statement<[], Step>(
    db,
    'SELECT snapshot_id, node_key, parent_key FROM versions ORDER BY snapshot_id, node_key',
  )
  const parents = new Map<number, number | null>()
  let snapshot = 0
  let changed: number[] = []
  for (const step of steps().iterate()) {
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
