import { isHidden } from '../history/kept-snapshots.ts'
import type { ImportItem } from './import-items.ts'
import type { TransferSnapshot, TransferVersion } from './transfer-rows.ts'

/** A problem in a history that is read from its beginning. */
export type PastProblem =
  /** A version of it names a parent that does not exist. */
  | { kind: 'lost parent'; node: number }
  /** At this snapshot a node was below itself. */
  | { kind: 'cycle'; snapshot: number }
  /** It was under its parent when the parent did not exist. */
  | { kind: 'early'; node: number }

/** The place that a snapshot gave a node. */
interface Step {
  snapshotId: number
  key: number
  /** Null for a root, and for a removed node. */
  parentKey: number | null
}

/** The node whose versions are being read. */
interface Coming {
  parentKey: number | null
  /** Since when it has existed continuously; null: it is removed. */
  since: number | null
  /** The snapshot of its newest version. */
  newest: number
}

interface Child {
  key: number
  parentKey: number
  /** When it last changed. */
  changed: number
}

const NOTHING: Coming = { parentKey: null, since: null, newest: 0 }

/**
 * Follows the rows of an import and finds what doctor's checks do not cover, since only a forged file has it: a past
 * state that no rollback can restore. (A past version may name a parent that did not exist then: its children return as
 * roots.) Keeps a few numbers per node.
 */
export function createPast() {
  /** For each node: since when it has existed; null: it is removed. */
  const since = new Map<number, number | null>()
  /** Parents that must still come, each with a node that names it. */
  const awaited = new Map<number, number>()
  const steps: Step[] = []
  const children: Child[] = []
  let coming = NOTHING
  let early: number | undefined
  /** Snapshots that are half pruned, by the one that takes their versions: nobody can go back to them. */
  const foldedInto = new Map<number, number>()
  let folding: number[] = []

  function takeSnapshot({ id, cursorHash }: TransferSnapshot): void {
    if (isHidden({ cursorHash })) return void folding.push(id)
    for (const one of folding) foldedInto.set(one, id)
    folding = []
  }
  function takeVersion({ nodeKey: key, snapshotId: at, state }: TransferVersion): void {
    const snapshotId = foldedInto.get(at) ?? at
    const parentKey = state?.parentKey ?? null
    if (parentKey !== coming.parentKey) steps.push({ snapshotId, key, parentKey })
    if (parentKey !== null && !since.has(parentKey) && !awaited.has(parentKey)) awaited.set(parentKey, key)
    coming = { parentKey, since: state && (coming.since ?? snapshotId), newest: snapshotId }
  }
  function takeNode(key: number, parentKey: number | null): void {
    const { since: there, newest: changed } = coming
    since.set(key, there)
    awaited.delete(key)
    coming = NOTHING
    if (there === null || parentKey === null) return
    const child = { key, parentKey, changed }
    if (!since.has(parentKey)) children.push(child)
    else if (isEarly(child)) early ??= key
  }
  function isEarly({ parentKey, changed }: Child): boolean {
    const there = since.get(parentKey) ?? null
    return there === null || there > changed
  }

  return {
    hasNode: (key: number): boolean => since.has(key),
    take(item: ImportItem): void {
      if (item.kind === 'snapshot') takeSnapshot(item.row)
      else if (item.kind === 'version') takeVersion(item.row)
      else if (item.kind === 'node') takeNode(item.row.key, item.row.parentKey)
    },
    /** To be called after all rows. */
    problem(): PastProblem | undefined {
      const [lost] = awaited.values()
      if (lost !== undefined) return { kind: 'lost parent', node: lost }
      const snapshot = firstCycle(steps)
      if (snapshot !== undefined) return { kind: 'cycle', snapshot }
      const node = early ?? children.find(isEarly)?.key
      return node === undefined ? undefined : { kind: 'early', node }
    },
  }
}

/**
 * The first snapshot at which a node was below itself, if any: a rollback to it would create unreachable nodes. Every
 * cycle has a node whose parent has no lower key; many histories have no such node, and are done immediately.
 */
function firstCycle(steps: readonly Step[]): number | undefined {
  if (!steps.some(({ key, parentKey }) => parentKey !== null && parentKey >= key)) return undefined
  const parents = new Map<number, number | null>()
  let snapshot = 0
  let changed: number[] = []
  for (const step of steps.toSorted((a, b) => a.snapshotId - b.snapshotId)) {
    if (step.snapshotId !== snapshot) {
      if (hasCycle(parents, changed)) return snapshot
      snapshot = step.snapshotId
      changed = []
    }
    parents.set(step.key, step.parentKey)
    changed.push(step.key)
  }
  return hasCycle(parents, changed) ? snapshot : undefined
}

/** Whether the way up from one of `keys` is a cycle. No node is visited twice. */
function hasCycle(parents: ReadonlyMap<number, number | null>, keys: readonly number[]): boolean {
  const visited = new Set<number>()
  return keys.some((start) => {
    const way = new Set<number>()
    let key: number | null = start
    for (; key !== null && !visited.has(key); key = parents.get(key) ?? null) {
      if (way.has(key)) return true
      way.add(key)
    }
    for (const passed of way) visited.add(passed)
    return false
  })
}
