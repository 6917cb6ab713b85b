import { DAY_MS } from '../../util/text/duration.ts'
import { needs } from '../errors.ts'
import { isWholeDay, momentAt, parseMoment } from '../past/moment.ts'
import type { MomentInput, SnapshotFilter, SnapshotPage } from '../port/history.ts'
import type { ReadTx, SnapshotRow, Store } from '../port/store.ts'
import { cursorOf, type Paged, WHAT_WAS } from './history.ts'

/** Of all snapshots, those that fit; everything that is given must hold. */
export interface LogInput extends Omit<SnapshotFilter, 'since' | 'until'> {
  /** After this snapshot or checkpoint; at or after this time, or from the beginning of this day. */
  since?: MomentInput
  /** Up to this moment. */
  until?: MomentInput
  /** Default: 100. */
  limit?: number
  /** `next` of the previous page. */
  after?: string
}

/** A snapshot as a log lists it. */
export interface LogRow extends SnapshotRow {
  checkpoints: string[]
  /** How many nodes it changed, counted up to `MOST_COUNTED`. */
  nodes: number
}

const PAGE = 100
/** Counting more would cost more than listing. */
export const MOST_COUNTED = 10_000

/** Snapshots, newest first. Costs what it returns and skips. */
export function log(store: Pick<Store, 'read'>, input: LogInput, now: number): Promise<Paged<LogRow>> {
  const { limit = PAGE, after, since, until, ...filter } = input
  const [before] = cursorOf(after, limit, 1)
  for (const name of ['author', 'operation'] as const)
    needs(['string', 'undefined'].includes(typeof filter[name]), `${name} must be a string`)
  return store.read(async (tx) => {
    const range = await rangeOf(tx, { since, until, before }, now)
    const rows = await tx.snapshots({ ...filter, ...range, limit: limit + 1 })
    const items = await withFacts(tx, rows.slice(0, limit))
    return { items, next: rows.length > limit ? String(items.at(-1)?.id) : null }
  }, WHAT_WAS)
}

interface Bounds {
  since: MomentInput | undefined
  until: MomentInput | undefined
  before: number | undefined
}

async function rangeOf(tx: ReadTx, { since, until, before }: Bounds, now: number) {
  const range: Omit<SnapshotPage, 'limit'> = before === undefined ? {} : { before }
  if (since !== undefined) {
    const moment = parseMoment(since, now)
    if ('until' in moment) range.since = isWholeDay(since) ? startOfDay(moment.until) : moment.until
    else range.after = (await momentAt(tx, moment)).id
  }
  if (until !== undefined) {
    const moment = parseMoment(until, now)
    if ('until' in moment) range.until = moment.until
    else range.before = Math.min(before ?? Number.MAX_SAFE_INTEGER, (await momentAt(tx, moment)).id + 1)
  }
  return range
}

/** In UTC. */
function startOfDay(time: number): number {
  return time - (time % DAY_MS)
}

/** The names and the size of snapshots. */
export async function withFacts<R extends Pick<SnapshotRow, 'id'>>(
  tx: ReadTx,
  rows: readonly R[],
): Promise<(R & Pick<LogRow, 'checkpoints' | 'nodes'>)[]> {
  const ids = rows.map(({ id }) => id)
  const [checkpoints, counts] = await Promise.all([tx.checkpoints(), tx.changeCounts(ids, MOST_COUNTED)])
  const nodes = new Map(counts.map(({ snapshotId, count }) => [snapshotId, count]))
  const names = Map.groupBy(checkpoints, ({ snapshotId }) => snapshotId)
  return rows.map((row) => ({
    ...row,
    checkpoints: (names.get(row.id) ?? []).map(({ name }) => name),
    nodes: nodes.get(row.id) ?? 0,
  }))
}
