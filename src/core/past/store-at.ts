import type { AsOf, MaybePast } from '../port/history.ts'
import type { ReadTx, Store } from '../port/store.ts'
import { momentAt, parseMoment } from './moment.ts'
import { pastTx } from './past-tx.ts'
import { type PastPart, type PastView, readPastView } from './past-view.ts'

type Reads = Pick<Store, 'read'>

/** How many views of each memory are kept: reading one costs what changed since. */
const KEPT = 2
/** A larger view would take too much memory while nobody uses it. */
const MAX_KEPT_NODES = 50_000

/** The last views of memories, the last used at the end. */
const views = new WeakMap<object, Map<string, Promise<PastView>>>()

export interface ReadAtOptions extends AsOf {
  now: number
  /** What views are kept with, if not with the store. */
  handle?: object
  /** What `work` reads. Default: all. */
  part?: PastPart
}

/** Runs `work` on a store whose reads are as of a moment, with the time of then; without one on the store itself. */
export async function readAt<T extends object>(
  store: Reads,
  { asOf, now, handle = store, part = 'all' }: ReadAtOptions,
  work: (store: Reads, now: number) => Promise<T>,
): Promise<T & MaybePast> {
  if (asOf === undefined) return work(store, now)
  const moment = parseMoment(asOf, now)
  const { id, createdAt } = await store.read((tx) => momentAt(tx, moment))
  const past: Reads = {
    read: (fn) =>
      store.read(async (tx) => fn(pastTx(tx, await viewAt(handle, tx, { id, part }))), {
        includeExpired: true,
      }),
  }
  return { ...(await work(past, createdAt)), readAt: { id, createdAt } }
}

/** Views of an older state are dropped: they may hold what was erased since. */
async function viewAt(
  handle: object,
  tx: ReadTx,
  { id, part }: { id: number; part: PastPart },
): Promise<PastView> {
  const snapshot = await momentAt(tx, { snapshot: id })
  const state = `up to ${(await tx.state()).head?.id}`
  const known = views.get(handle) ?? new Map<string, Promise<PastView>>()
  views.set(handle, known)
  const name = `${part} at ${id} ${state}`
  const reading = known.get(name) ?? readPastView(tx, snapshot, part)
  known.delete(name)
  known.set(name, reading)
  for (const other of known.keys()) if (!other.endsWith(state) || known.size > KEPT) known.delete(other)
  try {
    const view = await reading
    if (view.nodes.size > MAX_KEPT_NODES) known.delete(name)
    return view
  } catch (error) {
    known.delete(name)
    throw error
  }
}
