import { joinCursor, splitCursor } from '../cursor-parts.ts'
import { MemoryError, needs, notACursor, shown } from '../errors.ts'
import type { Op } from '../model.ts'
import { findSnapshot } from '../past/moment.ts'
import { noSuchSnapshot, refusePruned } from '../past/pruned-moment.ts'
import type { PastState, SnapshotRange, VersionRow, VersionState } from '../port/history.ts'
import type { NodeFields } from '../port/nodes.ts'
import type { ReadTx, SnapshotRow, Store } from '../port/store.ts'
import { type PlacedVersion, placeVersions } from './version-places.ts'

/** One page of an answer, and the cursor of the next. */
export interface Paged<T> {
  items: T[]
  /** Pass as `after` for the next page; null at the end. */
  next: string | null
}

const PAGE = 100
/** History reports what snapshots did, also to content that has expired since. */
export const WHAT_WAS = { includeExpired: true } as const

/** Everything that happened after a snapshot, oldest first. `since` 0: from the beginning. */
export async function delta(
  store: Pick<Store, 'read'>,
  input: { since: number; limit?: number; after?: string },
): Promise<Paged<VersionRow>> {
  const { since, limit = PAGE, after } = input ?? {}
  if (!Number.isSafeInteger(since)) {
    throw new MemoryError('INVALID_INPUT', `since must be the number of a snapshot, got ${shown(since)}`)
  }
  const [snapshotId, nodeKey] = cursorOf(after, limit, 2)
  return store.read(async (tx) => {
    const head = (await tx.state()).head?.id ?? 0
    if (since > head) throw new MemoryError('INVALID_INPUT', `snapshot ${since} is ahead of HEAD ${head}`)
    if (since > 0 && !(await findSnapshot(tx, since))) await refusePruned(tx, since)
    const start = snapshotId === undefined || nodeKey === undefined ? {} : { after: { snapshotId, nodeKey } }
    const page = { limit: limit + 1, ...start }
    const rows = await tx.versions({ since }, page)
    const items = rows.slice(0, limit)
    const last = items.at(-1)
    return { items, next: rows.length > limit && last ? deltaCursor(last) : null }
  }, WHAT_WAS)
}

/** The net changes after snapshot `from` up to `to`: one row per node, including moves. */
export async function diff(
  store: Pick<Store, 'read'>,
  input: { from: number; to: number; limit?: number; after?: string },
): Promise<Paged<PlacedVersion>> {
  const { from, to, limit = PAGE, after } = input ?? {}
  const areNumbers = Number.isSafeInteger(from) && Number.isSafeInteger(to)
  needs(areNumbers, 'diff needs { from, to }: the numbers of two snapshots')
  if (from > to) {
    throw new MemoryError('INVALID_INPUT', `from_snapshot_id (${from}) must be <= to_snapshot_id (${to})`)
  }
  const [afterKey = 0] = cursorOf(after, limit, 1)
  return store.read(async (tx) => {
    for (const id of [from, to]) {
      if (id !== 0 && !(await findSnapshot(tx, id))) throw await noSuchSnapshot(tx, id)
    }
    const items = await netPage(tx, { since: from, until: to }, { limit: limit + 1, after: afterKey })
    const page = await placeVersions(tx, items.slice(0, limit), () => to)
    return { items: page, next: items.length > limit ? diffCursor(page.at(-1) as PlacedVersion) : null }
  }, WHAT_WAS)
}

/** At most `limit` changes. Many changed nodes have no net change, so this may scan several pages of keys. */
async function netPage(
  tx: ReadTx,
  range: SnapshotRange,
  { limit, after }: { limit: number; after: number },
): Promise<VersionRow[]> {
  const items: VersionRow[] = []
  for (let last: number | undefined = after; last !== undefined && items.length < limit; ) {
    const nodes: NodeFields['id'][] = await tx.nodes({ changedIn: range, after: last, limit }, 'id')
    const keys = nodes.map(({ key }) => key)
    const [before, now] = await Promise.all([tx.statesAt(keys, range.since), tx.statesAt(keys, range.until)])
    const old = new Map(before.map(({ key, state }) => [key, shownState(state)]))
    const ids = new Map(nodes.map(({ key, id }) => [key, id]))
    for (const { key, snapshotId, state } of now) {
      const change = { old: old.get(key) ?? null, new: shownState(state) }
      const op = netOp(change)
      if (op) items.push({ snapshotId, nodeKey: key, nodeId: ids.get(key) as string, op, ...change })
    }
    last = nodes.length < limit ? undefined : keys.at(-1)
  }
  return items.slice(0, limit)
}

/** The net change; undefined: none, or it was added and removed again. */
export function netOp({ old, new: now }: Pick<VersionRow, 'old' | 'new'>): Op | undefined {
  if (!old) return now ? 'add' : undefined
  if (!now) return 'rem'
  return JSON.stringify(old) === JSON.stringify(now) ? undefined : 'mod'
}

/** Without the fields that only a rollback needs. */
export function shownState(past: PastState | null): VersionState | null {
  if (!past) return null
  const { digest: _, parentKey: __, ...shown } = past
  return shown
}

/** The versions of one node, newest first. Also for a removed node. */
export async function history(
  store: Pick<Store, 'read'>,
  input: { id: string; limit?: number; after?: string },
): Promise<Paged<PlacedVersion>> {
  const { id, limit = 10, after } = input ?? {}
  needs(typeof id === 'string', 'history needs { id }: the id of a node')
  const [before] = cursorOf(after, limit, 1)
  return store.read(async (tx) => {
    const until = before === undefined ? {} : { until: before - 1 }
    const rows = await tx.versions({ nodeId: id, ...until }, { limit: limit + 1 })
    const items = await placeVersions(tx, rows.slice(0, limit), ({ snapshotId }) => snapshotId)
    return { items, next: rows.length > limit ? historyCursor(items.at(-1) as PlacedVersion) : null }
  }, WHAT_WAS)
}

/** `after` for the rows after this one, for each of the three. */
export function deltaCursor({ snapshotId, nodeKey }: VersionRow): string {
  return joinCursor(snapshotId, nodeKey)
}

export function diffCursor({ nodeKey }: VersionRow): string {
  return String(nodeKey)
}

export function historyCursor({ snapshotId }: VersionRow): string {
  return String(snapshotId)
}

/** The numbers in a cursor; none without a cursor. */
export function cursorOf(after: string | undefined, limit: number, count: number): number[] {
  checkLimit(limit)
  if (after === undefined) return []
  const numbers = splitCursor(typeof after === 'string' ? after : '').map((part) =>
    /^\d{1,15}$/.test(part) ? Number(part) : Number.NaN,
  )
  if (numbers.length !== count || numbers.some(Number.isNaN)) throw notACursor()
  return numbers
}

export function checkLimit(limit: number): void {
  needs(
    Number.isSafeInteger(limit) && limit >= 1,
    `limit must be a positive whole number, got ${shown(limit)}`,
  )
}

export async function listSnapshots(
  store: Pick<Store, 'read'>,
  { limit = PAGE, before }: { limit?: number; before?: number } = {},
): Promise<SnapshotRow[]> {
  cursorOf(undefined, limit, 0)
  needs(before === undefined || Number.isSafeInteger(before), 'before must be the number of a snapshot')
  return store.read((tx) => tx.snapshots(before === undefined ? { limit } : { limit, before }))
}
