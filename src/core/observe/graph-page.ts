import { type Edge, type EdgePlace, listEdges, listPending, type PendingPlace } from '../links/edges.ts'
import { cursorNumbers, invalidCursor, type NextPage, type PageInput, pageOf } from '../page.ts'
import { LINK_ORIGINS, type LinkOrigin, type StoredLink } from '../port/links.ts'
import type { Store } from '../port/store.ts'
import { describeGraph, type GraphEnvelope } from './graph.ts'

/** Edges first, then pending links. */
type Place = { kind: 'edge'; after?: EdgePlace } | { kind: 'pending'; after?: PendingPlace }

/** Like `graph`, one page of edges and pending links with their nodes: a node may be on several pages. */
export async function graphPage(
  store: Pick<Store, 'read'>,
  input: PageInput = {},
): Promise<GraphEnvelope & NextPage> {
  const { limit, cursor } = pageOf(input)
  const place = placeOf(cursor)
  return store.read(async (tx) => {
    const edges = place.kind === 'edge' ? await listEdges(tx, { limit: limit + 1, ...afterOf(place) }) : []
    const room = limit + 1 - edges.length
    const after = place.kind === 'pending' ? afterOf(place) : {}
    const pending = room > 0 ? await listPending(tx, { limit: room, ...after }) : []
    const isMore = edges.length + pending.length > limit
    if (isMore) (pending.length > 0 ? pending : edges).pop()
    return {
      ...(await describeGraph(tx, edges, pending)),
      next_cursor: isMore ? cursorOf(edges, pending) : null,
    }
  })
}

function cursorOf(edges: readonly Edge[], pending: readonly StoredLink[]): string {
  const link = pending.at(-1)
  if (link) return `pending.${link.sourceKey}.${LINK_ORIGINS.indexOf(link.origin)}.${link.place}`
  const { sourceKey, targetKey, origin } = edges.at(-1) as Edge
  return `edge.${sourceKey}.${targetKey}.${LINK_ORIGINS.indexOf(origin)}`
}

function placeOf(cursor: string | undefined): Place {
  if (cursor === undefined) return { kind: 'edge' }
  const [kind = '', ...rest] = cursor.split('.')
  const [sourceKey = 0, second = 0, third = 0] = cursorNumbers(rest.join('.'), 3)
  if (kind === 'edge') return { kind, after: { sourceKey, targetKey: second, origin: originOf(third) } }
  if (kind === 'pending') return { kind, after: { sourceKey, origin: originOf(second), place: third } }
  throw invalidCursor()
}

function originOf(at: number): LinkOrigin {
  const origin = LINK_ORIGINS[at]
  if (!origin) throw invalidCursor()
  return origin
}

function afterOf<T>({ after }: { after?: T }): { after?: T } {
  return after === undefined ? {} : { after }
}
