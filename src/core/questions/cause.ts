import { netOp, shownState, WHAT_WAS } from '../history/history.ts'
import { type PlacedVersion, placeVersions } from '../history/version-places.ts'
import type { ReadTx, Store, VersionRow } from '../port/store.ts'
import type { Edge } from './halve.ts'
import { satisfies } from './judge.ts'
import type { AnswerHit, Cause, Expected } from './model.ts'

/** How many changes explain a loss. */
const MOST = 3

/** The hits of a question on both sides of the edge. */
export interface Hits {
  before: readonly AnswerHit[]
  at: readonly AnswerHit[]
}

/** What a snapshot changed so that an item is no longer found. */
export async function causeOf(
  store: Pick<Store, 'read'>,
  item: Expected,
  edge: Edge,
  hits: Hits,
): Promise<Cause> {
  const carriers = hits.before.filter((hit) => satisfies(item, hit))
  const renamed = item.kind === 'path' ? renameOf(carriers, hits.at) : undefined
  if (renamed) return { kind: 'renamed', changes: [], renamed }
  return store.read(async (tx) => {
    const own = await changesOf(tx, carriers, edge)
    const isRemoved = own.length > 0 && own.every(({ op }) => op === 'rem')
    if (isRemoved) return { kind: 'removed', changes: own, ...(await goneDocument(tx, own)) }
    if (own.length > 0) return { kind: 'edited', changes: own }
    const others = (await changesOf(tx, hits.at, edge)).filter(({ op }) => op !== 'rem')
    return { kind: others.length > 0 ? 'outranked' : 'unclear', changes: others }
  }, WHAT_WAS)
}

/** The same node is a hit, under another name. */
function renameOf(carriers: readonly AnswerHit[], now: readonly AnswerHit[]): Cause['renamed'] {
  for (const { id, path } of carriers) {
    const same = now.find((hit) => hit.id === id)
    if (same && same.path !== path) return { from: path, to: same.path }
  }
  return undefined
}

/** The document of removed nodes, if it is gone, too. */
async function goneDocument(tx: ReadTx, [first]: readonly PlacedVersion[]): Promise<Pick<Cause, 'document'>> {
  if (!first) return {}
  const [document] = await tx.documents({ ofNode: first.nodeId }, 'row')
  if (!document || document.state === 'live') return {}
  const { address } = document
  return { document: address.kind === 'note' ? `note:${address.id}` : first.file }
}

/** The net changes of these nodes, in their order. */
async function changesOf(
  tx: ReadTx,
  hits: readonly AnswerHit[],
  { before, at }: Edge,
): Promise<PlacedVersion[]> {
  const nodes = await tx.nodes({ ids: hits.map(({ id }) => id), removed: true }, 'id')
  const keys = nodes.map(({ key }) => key)
  const [olds, news] = await Promise.all([tx.statesAt(keys, before), tx.statesAt(keys, at)])
  const statesBefore = new Map(olds.map(({ key, state }) => [key, shownState(state)]))
  const statesAfter = new Map(news.map((row) => [row.key, row]))
  const rows = nodes.flatMap(({ key, id }): VersionRow[] => {
    const after = statesAfter.get(key)
    const change = { old: statesBefore.get(key) ?? null, new: shownState(after?.state ?? null) }
    const op = netOp(change)
    return op ? [{ snapshotId: after?.snapshotId ?? at, nodeKey: key, nodeId: id, op, ...change }] : []
  })
  return placeVersions(tx, rows.slice(0, MOST))
}
