import { by, type Place } from '../../util/text/order.ts'
import type { LinkDirection, LinkFields, LinkOrigin, StoredLink } from '../port/links.ts'
import type { ReadTx } from '../port/store.ts'

type LinkEnds = LinkFields['ends']

/** Two linked nodes with a weight: several links of one origin between them are one edge. */
export interface Edge {
  sourceKey: number
  targetKey: number
  weight: number
  origin: LinkOrigin
}

export type EdgePlace = Pick<Edge, 'sourceKey' | 'targetKey' | 'origin'>
export type PendingPlace = Pick<StoredLink, 'sourceKey' | 'origin' | 'place'>

interface Page<P> {
  limit: number
  after?: P
}

/**
 * Of several links of one origin between two nodes, the last one has the weight. `direction`: which end the links are
 * grouped by.
 */
export function edgesAmong(links: readonly LinkEnds[], direction: LinkDirection = 'out'): Edge[] {
  const last: LinkEnds[] = []
  const places = new Map<number, number>()
  let node: number | undefined
  for (const link of links) {
    const { sourceKey, targetKey, origin, place } = link
    if (targetKey === null) continue
    const [near, far] = direction === 'out' ? [sourceKey, targetKey] : [targetKey, sourceKey]
    if (near !== node) places.clear()
    node = near
    const name = 2 * far + Number(origin === 'manual')
    const at = places.get(name) ?? last.length
    if (at === last.length) places.set(name, at)
    if (place > (last[at]?.place ?? -1)) last[at] = link
  }
  return last as Edge[]
}

const edgePlace = ({ sourceKey, targetKey, origin }: EdgePlace) => [sourceKey, targetKey, origin]
const pendingPlace = ({ sourceKey, origin, place }: PendingPlace) => [
  sourceKey,
  Number(origin === 'manual'),
  place,
]

/** Every edge, by source, target and origin. */
export function listEdges(tx: ReadTx, page: Page<EdgePlace>): Promise<Edge[]> {
  return listed(tx, page, { pending: false, fields: 'ends', rowsOf: edgesAmong, placeOf: edgePlace })
}

/** Pending links: by source, those of the text first, each in order. */
export function listPending(tx: ReadTx, page: Page<PendingPlace>): Promise<StoredLink[]> {
  return listed(tx, page, {
    pending: true,
    fields: 'stored',
    rowsOf: (links) => links,
    placeOf: pendingPlace,
  })
}

interface Listing<F extends keyof LinkFields, P, R extends P> {
  pending: boolean
  fields: F
  /** For complete sources. */
  rowsOf: (links: LinkFields[F][]) => R[]
  placeOf: (row: P) => readonly Place[]
}

async function listed<F extends keyof LinkFields, P extends { sourceKey: number }, R extends P>(
  tx: ReadTx,
  { limit, after }: Page<P>,
  { pending, fields, rowsOf, placeOf }: Listing<F, P, R>,
): Promise<R[]> {
  const inOrder = by(placeOf)
  const rows: R[] = []
  for await (const links of linksOfSources(tx, { pending, from: after, limit }, fields)) {
    for (const row of rowsOf(links).sort(inOrder)) if (!after || inOrder(row, after) > 0) rows.push(row)
    if (rows.length >= limit) break
  }
  return rows.slice(0, limit)
}

/** Maximum number of links per read: pages grow up to this. */
const LARGEST_PAGE = 5000

/** All links of each source, several sources at a time, from a given source. */
async function* linksOfSources<F extends keyof LinkFields>(
  tx: ReadTx,
  asked: { pending: boolean; from: { sourceKey: number } | undefined; limit: number },
  fields: F,
): AsyncGenerator<LinkFields[F][]> {
  const { pending, from } = asked
  let after = from && { sourceKey: from.sourceKey, id: 0 }
  let rest: LinkFields[F][] = []
  for (let limit = asked.limit; ; limit *= 2) {
    limit = Math.min(limit, LARGEST_PAGE)
    const page = await tx.links({ pending, limit, ...(after && { after }) }, fields)
    const links = rest.concat(page)
    after = page.at(-1)
    if (!after || page.length < limit) return yield links
    // The last source may be incomplete.
    const last = after.sourceKey
    rest = links.splice(links.findIndex(({ sourceKey }) => sourceKey === last))
    if (links.length > 0) yield links
  }
}
