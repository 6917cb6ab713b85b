import type { Remembered } from '../../util/remembered.ts'
import { contentDigest } from '../../util/text/hash.ts'
import { printableJson } from '../../util/text/printable.ts'
import { MemoryError } from '../errors.ts'
import type { DocumentPage, DocumentQuery } from '../port/documents.ts'
import type { ReadTx, Store } from '../port/store.ts'
import type { Redact } from '../redact.ts'
import { totalOf } from '../write/documents.ts'
import { MAX_VIEW } from './limits.ts'
import { isoTime, type RecordJson, toRecordJson } from './model.ts'
import { type RecordFilter, selectRecords } from './select.ts'
import { midnightBack, sinceTime } from './times.ts'
import { type Counted, countAll, countShown, type ViewCounts } from './view-counts.ts'

export const VIEWS = ['recent', 'core', 'learnings', 'tasks/active', 'tasks/completed'] as const
export type ViewName = (typeof VIEWS)[number]

/** How a reader narrows a view. */
export interface ViewOptions {
  /** Maximum number of records. */
  limit?: number
  /** A date or a time: only records whose time in the view is at or after it. */
  since?: string
  /** All of these tags. */
  tags?: readonly string[]
}

/** The content of a resource: the keys and their order are locked. */
export interface ViewEnvelope extends ViewCounts {
  memories: RecordJson[]
  /** Number of `memories`; the other counts cover all records of the view, shown or not. */
  count: number
  date_range?: { from: string; to: string }
  generated_at: string
  /** All records of the view; only if some are not shown. */
  total?: number
  truncated?: true
}

export interface ViewDeps {
  store: Pick<Store, 'read'>
  redact: Redact
  now: () => number
  /** Caches results for an unchanged memory. */
  remembered: Remembered
}

/** A view, built in or user-defined. */
export interface View {
  filter: RecordFilter
  sort: DocumentPage['sort']
  /** The times that `since` and `days` apply to. */
  times: NonNullable<DocumentQuery['since']>['any']
  /** How many days back if `since` is not given; missing: from the beginning. */
  days?: number
  /** If `limit` is not given. */
  limit: number
  /** It shows only the first ones by definition: it is never reported as cut. */
  isFirstOnly?: boolean
  counted?: readonly Counted[]
}

const DAYS = 30

/** No view shows archived records. */
const DEFINED: Record<ViewName, View> = {
  recent: {
    filter: {},
    sort: [{ by: 'accessed', descending: true }],
    times: ['accessed'],
    limit: 20,
    isFirstOnly: true,
  },
  core: {
    filter: { type: 'core' },
    sort: [
      { by: 'importance', descending: true },
      { by: 'accessed', descending: true },
    ],
    times: ['updated'],
    limit: MAX_VIEW,
    counted: ['importance', 'category'],
  },
  learnings: {
    filter: { type: 'learning' },
    sort: [{ by: 'created', descending: true }],
    times: ['created', 'accessed'],
    days: DAYS,
    limit: MAX_VIEW,
  },
  'tasks/active': {
    filter: { type: 'task' },
    sort: [{ by: 'updated', descending: true }],
    times: ['updated'],
    limit: MAX_VIEW,
    counted: ['status'],
  },
  'tasks/completed': {
    filter: { type: 'task', status: 'completed' },
    sort: [{ by: 'completed_at', descending: true }],
    times: ['completed_at'],
    days: DAYS,
    limit: MAX_VIEW,
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

/** Computed once for an unchanged memory. */
export async function readView(
  deps: ViewDeps,
  view: View & { name: string },
  options: ViewOptions,
): Promise<string> {
  const now = deps.now()
  const { query, limit, from } = queryOf(deps, view, options, now)
  const { sort, counted = [] } = view
  const text = await deps.store.read(async (tx) => {
    const asked = JSON.stringify([view.name, query, sort, limit])
    return deps.remembered(asked, (await tx.state()).version, async () => {
      const memories = (await tx.documents(query, 'whole', { sort, limit })).map(toRecordJson)
      const cut = await findCut(tx, view, query, { limit, shown: memories.length })
      const counts = cut?.counts ?? countShown(memories, counted)
      const end = cut ? { total: cut.total, truncated: true } : {}
      return [end, { memories, count: memories.length, ...counts }].map(jsonLine).join('\n')
    })
  })
  const [end, shown] = halves(text)
  const to = isoTime(now)
  const others: Pick<ViewEnvelope, 'date_range' | 'generated_at' | 'total' | 'truncated'> = {
    ...(view.days !== undefined && from !== undefined && { date_range: { from: isoTime(from), to } }),
    generated_at: to,
    ...JSON.parse(end),
  }
  return `${shown.slice(0, -1)},${JSON.stringify(others).slice(1)}`
}

/** The totals, if not all records are shown. */
async function findCut(
  tx: ReadTx,
  { isFirstOnly, counted = [] }: View,
  query: DocumentQuery,
  { limit, shown }: { limit: number; shown: number },
): Promise<{ total: number; counts: ViewCounts } | undefined> {
  if (isFirstOnly || shown < limit) return undefined
  const { count: total } = await totalOf(tx, query)
  return total > shown ? { total, counts: await countAll(tx, query, counted) } : undefined
}

/** JSON without line breaks. */
function jsonLine(value: object): string {
  return printableJson(JSON.stringify(value))
}

function halves(text: string): [string, string] {
  const at = text.indexOf('\n')
  return [text.slice(0, at), text.slice(at + 1)]
}

/**
 * Changes whenever the content of a view changes, also when something returns: revisions and accesses only increase.
 */
export async function stampView(deps: ViewDeps, view: View, options: ViewOptions): Promise<string> {
  const { query, limit } = queryOf(deps, view, options, deps.now())
  const page = { sort: view.sort, limit }
  return deps.store.read(async (tx) => {
    const documents = await tx.documents(query, 'head', page)
    const cut = await findCut(tx, view, query, { limit, shown: documents.length })
    const heads = documents.map(({ id, revision, accesses }) => `${id}.${revision}.${accesses}`)
    return contentDigest(`${heads.join()}${cut ? JSON.stringify(cut) : ''}`)
  })
}

/** The query of a view, with a limit. */
function queryOf({ redact }: Pick<ViewDeps, 'redact'>, view: View, options: ViewOptions, now: number) {
  const { limit = view.limit, since, tags = [] } = options
  if (!(Number.isSafeInteger(limit) && limit >= 1 && limit <= MAX_VIEW))
    throw new MemoryError('INVALID_INPUT', `limit must be a whole number from 1 up to ${MAX_VIEW}`)
  const from = since === undefined ? view.days && midnightBack(now, view.days) : sinceTime(since, now)
  const filter = { ...view.filter, tags: [...(view.filter.tags ?? []), ...tags] }
  const query: DocumentQuery = {
    ...selectRecords(redact, filter),
    ...(from !== undefined && { since: { at: from, any: view.times } }),
  }
  return { query, limit, from }
}
