import { documentNames } from './documents.ts'
import { MemoryError } from './errors.ts'
import type { NodeType } from './model.ts'
import type { NodeRow, ReadTx, Store } from './port/store.ts'

/** `remindb://tree` and `inspect --tree --json`: the keys and their order are locked. `depth` counts from 0. */
export interface ForestEnvelope {
  roots: ForestNode[]
}

export interface ForestNode {
  id: string
  type: NodeType
  label: string
  depth: number
  tokens: number
  temperature: number
  source: string
  children: ForestNode[]
}

export interface ForestInput {
  /** Only the subtree of this node. */
  rootId?: string
  /** Generations below the roots; 0 or missing: all of them. */
  depth?: number
}

const BATCH = 5000

/** The forest, or one subtree, without loading any text. */
export async function forest(
  store: Pick<Store, 'read'>,
  { rootId, depth = 0 }: ForestInput = {},
): Promise<ForestEnvelope> {
  if (!Number.isSafeInteger(depth) || depth < 0)
    throw new MemoryError('INVALID_INPUT', `invalid depth "${depth}"`)
  return store.read(async (tx) => {
    const start = rootId === undefined ? await tx.roots() : [await subtreeRoot(tx, rootId)]
    const startDepth = rootId === undefined ? 0 : await depthOf(tx, start[0] as NodeRow)
    const roots = await toForestNodes(tx, start, startDepth)
    let level = pair(start, roots)
    const top = rootId === undefined ? undefined : start[0]?.key
    for (let below = 1; level.length > 0 && (depth === 0 || below <= depth); below++) {
      level = await addChildren(tx, level, { depth: startDepth + below, top })
    }
    return { roots }
  })
}

interface Placed {
  row: NodeRow
  node: ForestNode
}

async function subtreeRoot(tx: ReadTx, id: string): Promise<NodeRow> {
  const row = await tx.findNode(id)
  if (!row) throw new MemoryError('NOT_FOUND', `root node ${id} not found`)
  return row
}

async function depthOf(tx: ReadTx, row: NodeRow): Promise<number> {
  // A damaged memory may lead in circles.
  const above = new Set([row.key])
  for (let key = row.parentKey; key !== null && !above.has(key); ) {
    above.add(key)
    key = (await tx.nodesByKey([key]))[0]?.parentKey ?? null
  }
  return above.size - 1
}

/** What stands right below `parents`. In a circle, `top` would be below itself. */
async function addChildren(
  tx: ReadTx,
  parents: Placed[],
  { depth, top }: { depth: number; top: number | undefined },
): Promise<Placed[]> {
  let next: Placed[] = []
  for (let at = 0; at < parents.length; at += BATCH) {
    const batch = parents.slice(at, at + BATCH)
    const byKey = new Map(batch.map(({ row, node }) => [row.key, node]))
    const rows = (await tx.children([...byKey.keys()])).filter(({ key }) => key !== top)
    const placed = pair(rows, await toForestNodes(tx, rows, depth))
    for (const { row, node } of placed) byKey.get(row.parentKey as number)?.children.push(node)
    next = next.concat(placed)
  }
  return next
}

async function toForestNodes(tx: ReadTx, rows: NodeRow[], depth: number): Promise<ForestNode[]> {
  const heat = new Map((await tx.heat(rows.map((row) => row.key))).map(({ key, value }) => [key, value]))
  const sources = await documentNames(
    tx,
    rows.map((row) => row.documentId),
  )
  return rows.map((row) => ({
    id: row.id,
    type: row.type,
    label: row.label,
    depth,
    tokens: row.tokens,
    temperature: heat.get(row.key) ?? 0,
    source: sources.get(row.documentId) ?? '',
    children: [],
  }))
}

function pair(rows: NodeRow[], nodes: ForestNode[]): Placed[] {
  return rows.map((row, at) => ({ row, node: nodes[at] as ForestNode }))
}
