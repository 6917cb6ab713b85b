import type { NodeType } from './model.ts'
import type { EdgeRow, LinkOrigin, LinkRow } from './port/links.ts'
import type { ReadTx, Store } from './port/store.ts'

/** `remindb://graph` and `inspect --links --json`: the keys and their order are locked. */
export interface GraphEnvelope {
  /** Only nodes that an edge or a pending link belongs to. */
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

const PAGE = 5000

/** How the nodes are linked, without loading any text. */
export function graph(store: Pick<Store, 'read'>): Promise<GraphEnvelope> {
  return store.read(async (tx) => {
    const edges = await allEdges(tx)
    const pending = await allPending(tx)
    const keys = new Set(edges.flatMap(({ sourceKey, targetKey }) => [sourceKey, targetKey]))
    for (const { sourceKey } of pending) keys.add(sourceKey)
    return {
      nodes: await describeNodes(tx, keys),
      edges: edges.map(toEdge),
      pending: pending.map(toPending),
    }
  })
}

async function allEdges(tx: ReadTx): Promise<EdgeRow[]> {
  const edges: EdgeRow[] = []
  for (;;) {
    const after = edges.at(-1)
    const page = await tx.listEdges({ limit: PAGE, ...(after ? { after } : {}) })
    for (const edge of page) edges.push(edge)
    if (page.length < PAGE) return edges
  }
}

async function allPending(tx: ReadTx): Promise<LinkRow[]> {
  const pending: LinkRow[] = []
  for (;;) {
    const after = pending.at(-1)
    const page = await tx.listPending({ limit: PAGE, ...(after ? { after } : {}) })
    for (const link of page) pending.push(link)
    if (page.length < PAGE) return pending
  }
}

/** By key. */
export async function describeNodes(tx: ReadTx, keys: ReadonlySet<number>): Promise<GraphEnvelope['nodes']> {
  const rows = await tx.nodes({ keys: [...keys] }, 'brief')
  rows.sort((a, b) => a.key - b.key)
  return rows.map(({ id, label, type, temperature }) => ({ id, label, type, temperature }))
}

export function toEdge({ sourceId, targetId, weight, origin }: EdgeRow): GraphEnvelope['edges'][number] {
  return { source: sourceId, target: targetId, weight, origin }
}

export function toPending({
  sourceId,
  label,
  source,
  id,
  weight,
  origin,
}: LinkRow): GraphEnvelope['pending'][number] {
  return { source: sourceId, target_label: label, target_source: source, target_id_hint: id, weight, origin }
}
