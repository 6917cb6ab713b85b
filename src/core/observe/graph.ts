import { type Edge, listEdges, listPending } from '../links/edges.ts'
import type { NodeType } from '../model.ts'
import type { LinkOrigin, StoredLink } from '../port/links.ts'
import type { ReadTx, Store } from '../port/store.ts'

/** `remindb://graph` and `inspect --links --json`: the keys and their order are locked. */
export interface GraphEnvelope {
  /** Only nodes with an edge or a pending link. */
  nodes: { id: string; label: string; type: NodeType; temperature: number }[]
  edges: { source: string; target: string; weight: number; origin: LinkOrigin }[]
  pending: {
    source: string
    target_label: string
    target_source: string
    target_id_hint: string
    weight: number
    origin: LinkOrigin
  }[]
}

/** The links between nodes, without reading texts. */
export function graph(store: Pick<Store, 'read'>): Promise<GraphEnvelope> {
  return store.read(async (tx) => {
    const edges = await listEdges(tx, { limit: Number.POSITIVE_INFINITY })
    const pending = await listPending(tx, { limit: Number.POSITIVE_INFINITY })
    return describeGraph(tx, edges, pending)
  })
}

/** Edges and pending links with their nodes, by key. */
export async function describeGraph(
  tx: ReadTx,
  edges: readonly Edge[],
  pending: readonly StoredLink[],
): Promise<GraphEnvelope> {
  const keys = new Set(edges.flatMap(({ sourceKey, targetKey }) => [sourceKey, targetKey]))
  for (const { sourceKey } of pending) keys.add(sourceKey)
  const rows = await tx.nodes({ keys: [...keys] }, 'brief')
  rows.sort((a, b) => a.key - b.key)
  const ids = new Map(rows.map(({ key, id }) => [key, id]))
  const idOf = (key: number): string => ids.get(key) ?? ''
  // In a damaged memory a link may lead to a node that does not exist.
  const whole = edges.filter(({ sourceKey, targetKey }) => ids.has(sourceKey) && ids.has(targetKey))
  return {
    nodes: rows.map(({ id, label, type, temperature }) => ({ id, label, type, temperature })),
    edges: whole.map(({ sourceKey, targetKey, weight, origin }) => ({
      source: idOf(sourceKey),
      target: idOf(targetKey),
      weight,
      origin,
    })),
    pending: pending.map(({ sourceKey, label, source, wantedId, weight, origin }) => ({
      source: idOf(sourceKey),
      target_label: label,
      target_source: source,
      target_id_hint: wantedId,
      weight,
      origin,
    })),
  }
}
