import { momentAt, parseMoment } from '../past/moment.ts'
import type { HistoryReads, MomentInput } from '../port/history.ts'
import type { AskDeps, AskedAt } from './ask.ts'

/** The snapshots that are kept, by number: some may have been removed. */
export interface Timeline {
  /** A snapshot between two others, as near to the middle as it can be; undefined if there is none. */
  between(after: number, before: number): Promise<number | undefined>
  /** The newest snapshot up to a number; 0 if there is none. */
  upTo(id: number): Promise<number>
}

export function timelineOf({ store }: Pick<AskDeps, 'store'>): Timeline {
  const newest = (after: number, before: number): Promise<number | undefined> =>
    store.read(async (tx) => newestIn(tx, after, before))
  return {
    async between(after, before) {
      for (let from = after; before - from > 1; ) {
        const middle = Math.floor((from + before) / 2)
        const found = await newest(from, middle + 1)
        if (found !== undefined) return found
        from = middle
      }
      return undefined
    },
    upTo: async (id) => (await newest(0, id + 1)) ?? 0,
  }
}

async function newestIn(
  tx: Pick<HistoryReads, 'snapshots'>,
  after: number,
  before: number,
): Promise<number | undefined> {
  return (await tx.snapshots({ after, before, limit: 1 }))[0]?.id
}

/** The moment that a caller names. Default: now. */
export async function askedAt(
  { store, now }: Pick<AskDeps, 'store' | 'now'>,
  asOf?: MomentInput,
): Promise<AskedAt> {
  const moment = asOf === undefined ? undefined : parseMoment(asOf, now())
  return store.read(async (tx) => {
    if (moment !== undefined) return { snapshot: (await momentAt(tx, moment)).id, isNow: false }
    return { snapshot: (await tx.state()).head?.id ?? 0, isNow: true }
  })
}
