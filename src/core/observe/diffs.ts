import type { Hash64 } from '../digest.ts'
import { MemoryError, shown } from '../errors.ts'
import { WHAT_WAS } from '../history/history.ts'
import type { Op } from '../model.ts'
import { cursorNumbers, cut, MAX_ANSWER, type NextPage, type PageInput, pageOf } from '../page.ts'
import type { Store, VersionRow, VersionState } from '../port/store.ts'

/** `remindb://snapshots/{id}/diffs`: the keys and their order are locked. */
export interface DiffsEnvelope {
  snapshot_id: number
  /** Missing or erased text is '' with the hash ''. A `mod` with equal hashes moved or changed its type. */
  diffs: {
    op: Op
    node_id: string
    /** XXH64 of the text, 16 hex digits. */
    old_hash: string
    new_hash: string
    old_content: string
    new_content: string
  }[]
}

export interface DiffsDeps {
  store: Pick<Store, 'read'>
  hash: Hash64
}

const BATCH = 1000
/**
 * The changes of one snapshot, in the order of the nodes. Empty for an unknown snapshot. More than `max` characters of
 * text are rejected before all of it is read.
 */
export async function diffs(
  { store, hash }: DiffsDeps,
  snapshotId: number,
  max = MAX_ANSWER,
): Promise<DiffsEnvelope> {
  const range = rangeOf(snapshotId)
  return store.read(async (tx) => {
    const found: DiffsEnvelope['diffs'] = []
    let text = 0
    for (let after: VersionRow | undefined; ; ) {
      const rows = await tx.versions(range, { limit: BATCH, ...(after ? { after } : {}) })
      for (const row of rows) {
        found.push(toDiff(row, hash))
        text += (row.old?.text.length ?? 0) + (row.new?.text.length ?? 0)
      }
      if (text > max) throw tooLarge(snapshotId)
      after = rows.at(-1)
      if (rows.length < BATCH) return { snapshot_id: snapshotId, diffs: found }
    }
  }, WHAT_WAS)
}

export async function diffsPage(
  { store, hash }: DiffsDeps,
  { snapshotId, ...input }: PageInput & { snapshotId: number },
): Promise<DiffsEnvelope & NextPage> {
  const range = rangeOf(snapshotId)
  const { limit, cursor } = pageOf(input)
  const [nodeKey] = cursor === undefined ? [] : cursorNumbers(cursor, 1)
  return store.read(async (tx) => {
    const after = nodeKey === undefined ? {} : { after: { snapshotId, nodeKey } }
    const rows = await tx.versions(range, { limit: limit + 1, ...after })
    const page = cut(rows, limit, (last) => String(last.nodeKey))
    return {
      snapshot_id: snapshotId,
      diffs: page.rows.map((row) => toDiff(row, hash)),
      next_cursor: page.next,
    }
  }, WHAT_WAS)
}

function rangeOf(snapshotId: number): { since: number; until: number } {
  if (!Number.isSafeInteger(snapshotId) || snapshotId < 0)
    throw new MemoryError(
      'INVALID_INPUT',
      `invalid snapshot id "${shown(snapshotId)}"; give the number of a snapshot`,
    )
  return { since: snapshotId - 1, until: snapshotId }
}

function toDiff(row: VersionRow, hash: Hash64): DiffsEnvelope['diffs'][number] {
  return {
    op: row.op,
    node_id: row.nodeId,
    old_hash: hashOf(row.old, hash),
    new_hash: hashOf(row.new, hash),
    old_content: row.old?.text ?? '',
    new_content: row.new?.text ?? '',
  }
}

function hashOf(state: VersionState | null, hash: Hash64): string {
  return state ? hash(state.text).toString(16).padStart(16, '0') : ''
}

function tooLarge(snapshotId: number): MemoryError {
  return new MemoryError(
    'INVALID_INPUT',
    `the diffs of snapshot ${snapshotId} are too large for one answer; read them in pages: remindb://snapshots/${snapshotId}/diffs?limit=200`,
  )
}
