import { contentDigest } from '../../util/hash.ts'
import type { Remembered } from '../../util/remembered.ts'
import { printableJson } from '../../util/terminal-text.ts'
import { MemoryError } from '../errors.ts'
import type { Redact } from '../redact.ts'
import type { Store } from '../store.ts'
import type { DoorPage, DoorQuery } from '../store-doors.ts'
import { MAX_VIEW } from './limits.ts'
import {
  IMPORTANCES,
  type Importance,
  isoTime,
  type RecordJson,
  STATUSES,
  type Status,
  toRecordJson,
} from './model.ts'
import { type RecordFilter, selectRecords } from './select.ts'
import { midnightBack, sinceTime } from './times.ts'

export const VIEWS = ['recent', 'core', 'learnings', 'tasks/active', 'tasks/completed'] as const
export type ViewName = (typeof VIEWS)[number]

/** How a reader narrows a view. */
export interface ViewOptions {
  /** At most so many. */
  limit?: number
  /** A date or a time: those of which what the view is about happened since then. */
  since?: string
  /** All of them. */
  tags?: readonly string[]
}

/** What a resource shows: the keys and their order are locked. */
export interface ViewEnvelope {
  memories: RecordJson[]
  /** Of `memories`, as everything else that is counted here. */
  count: number
  by_importance?: Record<Importance, number>
  /** Those without one are `other`. */
  by_category?: Record<string, number>
  by_status?: Record<Status, number>
  date_range?: { from: string; to: string }
  generated_at: string
}

export interface ViewDeps {
  store: Pick<Store, 'read'>
  redact: Redact
  now: () => number
  /** What was made for the same question of the same state of the memory, or what is made now. */
  remembered: Remembered
}

/** A view as it is defined, here or by a user. */
export interface View {
  filter: RecordFilter
  sort: DoorPage['sort']
  /** What is about time in it. */
  times: NonNullable<DoorQuery['since']>['any']
  /** Where `since` is not given: so many days back; missing: from the beginning. */
  days?: number
  /** Where `limit` is not given. */
  limit: number
  counts: (memories: readonly RecordJson[]) => Partial<ViewEnvelope>
}

const DAYS = 30
const nothing = () => ({})

/** What is archived was put away: none of them shows it. */
const DEFINED: Record<ViewName, View> = {
  recent: {
    filter: {},
    sort: [{ by: 'accessed', descending: true }],
    times: ['accessed'],
    limit: 20,
    counts: nothing,
  },
  core: {
    filter: { type: 'core' },
    sort: [
      { by: 'importance', descending: true },
      { by: 'accessed', descending: true },
    ],
    times: ['updated'],
    limit: MAX_VIEW,
    counts: (memories) => ({
      by_importance: countBy(memories, IMPORTANCES, ({ importance }) => importance),
      by_category: byCategory(memories),
    }),
  },
  learnings: {
    filter: { type: 'learning' },
    sort: [{ by: 'created', descending: true }],
    times: ['created', 'accessed'],
    days: DAYS,
    limit: MAX_VIEW,
    counts: nothing,
  },
  'tasks/active': {
    filter: { type: 'task' },
    sort: [{ by: 'updated', descending: true }],
    times: ['updated'],
    limit: MAX_VIEW,
    counts: (memories) => ({
      by_status: countBy(memories, STATUSES, ({ task_metadata }) => task_metadata?.status),
    }),
  },
  'tasks/completed': {
    filter: { type: 'task', status: 'completed' },
    sort: [{ by: 'completed_at', descending: true }],
    times: ['completed_at'],
    days: DAYS,
    limit: MAX_VIEW,
    counts: nothing,
  },
}

/** The JSON text of a `ViewEnvelope`. */
export function recordView(deps: ViewDeps, name: ViewName, options: ViewOptions = {}): Promise<string> {
  return readView(deps, { name, ...DEFINED[name] }, options)
}

/** See `stampView`. */
export function recordStamp(deps: ViewDeps, name: ViewName, options: ViewOptions = {}): Promise<string> {
  return stampView(deps, DEFINED[name], options)
}

/** What a view shows of an unchanged memory is made once. */
export async function readView(
  deps: ViewDeps,
  view: View & { name: string },
  options: ViewOptions,
): Promise<string> {
  const now = deps.now()
  const { query, limit, from } = queryOf(deps, view, options, now)
  const { sort, counts } = view
  const shown = await deps.store.read(async (tx) => {
    const asked = JSON.stringify([view.name, query, sort, limit])
    return deps.remembered(asked, await tx.stateVersion(), async () => {
      const memories = (await tx.listDoorDocuments(query, { sort, limit })).map(toRecordJson)
      const shown: Shown = { memories, count: memories.length, ...counts(memories) }
      return printableJson(JSON.stringify(shown))
    })
  })
  const to = isoTime(now)
  const others: Pick<ViewEnvelope, 'date_range' | 'generated_at'> = {
    ...(view.days !== undefined && from !== undefined && { date_range: { from: isoTime(from), to } }),
    generated_at: to,
  }
  return `${shown.slice(0, -1)},${JSON.stringify(others).slice(1)}`
}

/** What does not depend on the moment in which a view is read. */
type Shown = Omit<ViewEnvelope, 'date_range' | 'generated_at'>

/** Another text whenever what a view shows is, also when something comes back: revisions and accesses only grow. */
export async function stampView(deps: ViewDeps, view: View, options: ViewOptions): Promise<string> {
  const { query, limit } = queryOf(deps, view, options, deps.now())
  const page = { sort: view.sort, limit }
  const documents = await deps.store.read((tx) => tx.listDoorHeads(query, page))
  return contentDigest(documents.map(({ id, revision, accesses }) => `${id}.${revision}.${accesses}`).join())
}

/** One statement's worth of records, whatever the view. */
function queryOf({ redact }: Pick<ViewDeps, 'redact'>, view: View, options: ViewOptions, now: number) {
  const { limit = view.limit, since, tags = [] } = options
  if (!(Number.isSafeInteger(limit) && limit >= 1 && limit <= MAX_VIEW))
    throw new MemoryError('INVALID_INPUT', `limit must be a whole number from 1 up to ${MAX_VIEW}`)
  const from = since === undefined ? view.days && midnightBack(now, view.days) : sinceTime(since, now)
  const filter = { ...view.filter, tags: [...(view.filter.tags ?? []), ...tags] }
  const query: DoorQuery = {
    ...selectRecords(redact, filter),
    ...(from !== undefined && { since: { at: from, any: view.times } }),
  }
  return { query, limit, from }
}

function countBy<const W extends string>(
  memories: readonly RecordJson[],
  words: readonly W[],
  wordOf: (memory: RecordJson) => W | undefined,
): Record<W, number> {
  const counts = new Map<string | undefined, number>(words.map((word) => [word, 0]))
  for (const memory of memories) {
    const word = wordOf(memory)
    counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  return Object.fromEntries(words.map((word) => [word, counts.get(word) ?? 0])) as Record<W, number>
}

/** Most frequent first, then by name. */
function byCategory(memories: readonly RecordJson[]): Record<string, number> {
  const counts = new Map<string, number>()
  for (const { category = 'other' } of memories) counts.set(category, (counts.get(category) ?? 0) + 1)
  return Object.fromEntries([...counts].sort(([one, a], [other, b]) => b - a || (one < other ? -1 : 1)))
}
