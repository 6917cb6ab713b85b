import { MemoryError } from '../errors.ts'
import type { NodeType } from '../model.ts'
import type { OutlineRow } from '../port/nodes.ts'
import type { ReadTx, Store } from '../port/store.ts'

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
  /** Levels below the roots; 0 or missing: all of them. */
  depth?: number
}

const BATCH = 5000
/** Roots per read, each with its descendants. */
const ROOTS = 200

/** The forest, or one subtree, without reading texts. */
export async function forest(store: Pick<Store, 'read'>, input?: ForestInput): Promise<ForestEnvelope> {
  const roots: ForestNode[] = []
  await eachTree(store, input, (some) => {
    for (const root of some) roots.push(root)
  })
  return { roots }
}

/** The same, a few whole trees at a time: a large forest need not fit in memory. */
export async function eachTree(
  store: Pick<Store, 'read'>,
  { rootId, depth = 0 }: ForestInput = {},
  take: (roots: ForestNode[]) => void,
): Promise<void> {
  if (!Number.isSafeInteger(depth) || depth < 0)
    throw new MemoryError('INVALID_INPUT', `invalid depth "${depth}"`)
  await store.read(async (tx) => {
    const [start, startDepth] = rootId === undefined ? [await allRoots(tx), 0] : await subtreeRoot(tx, rootId)
    const top = rootId === undefined ? undefined : start[0]?.key
    for (let at = 0; at < start.length; at += ROOTS) {
      const rows = start.slice(at, at + ROOTS)
      const roots = rows.map((row) => toForestNode(row, startDepth))
      let level = pair(rows, roots)
      for (let below = 1; level.length > 0 && (depth === 0 || below <= depth); below++)
        level = await addChildren(tx, level, { depth: startDepth + below, top })
      take(roots)
    }
  })
}

interface Placed {
  row: OutlineRow
  node: ForestNode
}

async function allRoots(tx: ReadTx): Promise<OutlineRow[]> {
  let rows: OutlineRow[] = []
  for (;;) {
    const after = rows.at(-1)
    const from = { parentKey: null, ...(after ? { after } : {}) }
    const page = await tx.outline([from], { fields: 'outline', limit: BATCH })
    rows = rows.concat(page)
    if (page.length < BATCH) return rows
  }
}

/** With its depth. */
async function subtreeRoot(tx: ReadTx, id: string): Promise<[OutlineRow[], number]> {
  const [row, ...above] = await tx.walk({ ids: [id] }, { direction: 'up', fields: 'outline' })
  if (!row) throw new MemoryError('NOT_FOUND', `root node ${id} not found`)
  return [[row], above.length]
}

/** The children of `parents`. In a cycle, `top` would be below itself. */
async function addChildren(
  tx: ReadTx,
  parents: Placed[],
  { depth, top }: { depth: number; top: number | undefined },
): Promise<Placed[]> {
  let next: Placed[] = []
  const withChildren = parents.filter(({ row }) => row.children > 0)
  for (let at = 0; at < withChildren.length; at += BATCH) {
    const byKey = new Map(withChildren.slice(at, at + BATCH).map(({ row, node }) => [row.key, node]))
    const found = await tx.nodes({ parents: [...byKey.keys()] }, 'outline')
    const rows = found.filter(({ key }) => key !== top)
    const placed = pair(
      rows,
      rows.map((row) => toForestNode(row, depth)),
    )
    for (const { row, node } of placed) byKey.get(row.parentKey as number)?.children.push(node)
    next = next.concat(placed)
  }
  return next
}

function toForestNode(
  { id, type, label, tokens, temperature, source }: OutlineRow,
  depth: number,
): ForestNode {
  return { id, type, label, depth, tokens, temperature, source, children: [] }
}

function pair(rows: OutlineRow[], nodes: ForestNode[]): Placed[] {
  return rows.map((row, at) => ({ row, node: nodes[at] as ForestNode }))
}
