import { DAY_MS } from '../../util/text/duration.ts'
import type { SnapshotRow } from '../port/rows.ts'

type Dated = Pick<SnapshotRow, 'id' | 'createdAt' | 'cursorHash'>

/** Consecutive snapshots that go, newest first, and the one above them that stays. */
export interface Run<R extends Dated = Dated> {
  into: R
  gone: R[]
}

/**
 * The newest run below a snapshot that stays. `older`: the snapshots before it, newest first. The last one of each UTC
 * day stays, and each that `isNamed`. Without a run below them, `into` is the last of them.
 */
export function nextRun<R extends Dated>(
  stays: R,
  older: readonly R[],
  isNamed: (id: number) => boolean,
): Run<R> {
  const run: Run<R> = { into: stays, gone: [] }
  for (const row of older) {
    if (isGone(row, run.into, isNamed)) run.gone.push(row)
    else if (run.gone.length > 0) break
    else run.into = row
  }
  return run
}

/** A hidden one was begun to be pruned, and cannot be read any more. */
function isGone(row: Dated, next: Dated, isNamed: (id: number) => boolean): boolean {
  return isHidden(row) || (dayOf(row) === dayOf(next) && !isNamed(row.id))
}

export function isHidden({ cursorHash }: Pick<SnapshotRow, 'cursorHash'>): boolean {
  return cursorHash === ''
}

function dayOf({ createdAt }: Dated): number {
  return Math.floor(createdAt / DAY_MS)
}
