import type { DocumentQuery } from '../port/documents.ts'
import type { ReadTx } from '../port/store.ts'
import { IMPORTANCES, type Importance, type RecordJson, STATUSES, type Status } from './model.ts'

/** The fields by which views count their records. */
export type Counted = 'importance' | 'category' | 'status'

export interface ViewCounts {
  by_importance?: Record<Importance, number>
  /** Records without a category count as `other`. */
  by_category?: Record<string, number>
  by_status?: Record<Status, number>
}

type Counts = readonly { value: string | null; count: number }[]

/** Counts by each of `counted`, if all records are shown. */
export function countShown(memories: readonly RecordJson[], counted: readonly Counted[]): ViewCounts {
  return named(counted.map((by) => [by, memories.map((one) => ({ value: wordOf(one, by), count: 1 }))]))
}

/** The same for all records of a query, if only some are shown. */
export async function countAll(
  tx: ReadTx,
  query: DocumentQuery,
  counted: readonly Counted[],
): Promise<ViewCounts> {
  const all: [Counted, Counts][] = []
  for (const by of counted) all.push([by, await tx.totals(query, { by })])
  return named(all)
}

function wordOf({ importance, category, task_metadata }: RecordJson, by: Counted): string | null {
  const values = { importance, category, status: task_metadata?.status }
  return values[by] ?? null
}

function named(all: [Counted, Counts][]): ViewCounts {
  const counts: ViewCounts = {}
  for (const [by, found] of all) {
    if (by === 'importance') counts.by_importance = byWord(found, IMPORTANCES, 'medium')
    else if (by === 'status') counts.by_status = byWord(found, STATUSES, 'in-progress')
    else counts.by_category = byFrequency(sums(found, 'other'))
  }
  return counts
}

/** Every value, in the given order. */
function byWord<const W extends string>(found: Counts, words: readonly W[], usual: W): Record<W, number> {
  const counts = sums(found, usual)
  return Object.fromEntries(words.map((word) => [word, counts.get(word) ?? 0])) as Record<W, number>
}

/** Most frequent first, then by name. */
function byFrequency(counts: ReadonlyMap<string, number>): Record<string, number> {
  return Object.fromEntries([...counts].sort(([one, a], [other, b]) => b - a || (one < other ? -1 : 1)))
}

function sums(found: Counts, usual: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { value, count } of found) {
    const word = value ?? usual
    counts.set(word, (counts.get(word) ?? 0) + count)
  }
  return counts
}
