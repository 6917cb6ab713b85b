import type { AsOf, MaybePast } from '../port/history.ts'
import type { ReadTx, Store } from '../port/store.ts'
import { momentAt, parseMoment } from './moment.ts'
import { pastTx } from './past-tx.ts'
import { type PastView, readPastView } from './past-view.ts'

type Reads = Pick<Store, 'read'>

/** How many views of each memory are kept: reading one costs what changed since. */
const KEPT = 2

/** The last views of memories; the last used is at the end. A view is of no use when something has been stored since. */
const views = new WeakMap<object, Map<string, Promise<PastView>>>()

/**
 * Runs `work` on a store whose reads are as of a moment, with the time of then; without one on the store itself. `handle`: what views are
 * kept with, if not with the store.
 */
export async function readAt<T extends object>(
  store: Reads,
  { asOf, now, handle = store }: AsOf & { now: number; handle?: object },
  work: (store: Reads, now: number) => Promise<T>,
): Promise<T & MaybePast> {
  if (asOf === undefined) return work(store, now)
  const moment = parseMoment(asOf, now)
  const { id, createdAt } = await store.read((tx) => momentAt(tx, moment))
  const past: Reads = {
    read: (fn) =>
      store.read(async (tx) => fn(pastTx(tx, await viewAt(handle, tx, id))), { includeExpired: true }),
  }
  return { ...(await work(past, createdAt)), readAt: { id, createdAt } }
}

async function viewAt(handle: object, tx: ReadTx, id: number): Promise<PastView> {
  const snapshot = await momentAt(tx, { snapshot: id })
  const head = (await tx.state()).head?.id
  const known = views.get(handle) ?? new Map<string, Promise<PastView>>()
  views.set(handle, known)
  const name = `${id} up to ${head}`
  const view = known.get(name) ?? readPastView(tx, snapshot)
  known.delete(name)
  known.set(name, view)
  view.catch(() => known.delete(name))
  for (const oldest of known.keys()) if (known.size > KEPT) known.delete(oldest)
  return view
}
