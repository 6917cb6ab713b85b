import { MemoryError, shown } from '../errors.ts'
import { startOf } from '../find/read/tree-start.ts'
import type { Step } from '../find/read/walk.ts'
import type { NodeType } from '../model.ts'
import { invalidCursor, type NextPage, type PageInput, pageOf } from '../page.ts'
import type { ReadTx, Store } from '../port/store.ts'
import { findNode } from '../write/operation.ts'
import type { ForestInput } from './forest.ts'

/** A page of the outline: nodes in document order, each after its parent, which may be on an earlier page. */
export interface ForestPage extends NextPage {
  nodes: ForestPageNode[]
}

export interface ForestPageNode {
  id: string
  parent_id: string | null
  type: NodeType
  label: string
  /** In the whole tree, from 0. */
  depth: number
  tokens: number
  temperature: number
  source: string
  /** Number of children, on this page or not. */
  child_count: number
}

/** Like `forest`, but flat, one page at a time: costs what it shows. */
export async function forestPage(
  store: Pick<Store, 'read'>,
  { rootId, depth = 0, ...input }: ForestInput & PageInput = {},
): Promise<ForestPage> {
  if (!Number.isSafeInteger(depth) || depth < 0)
    throw new MemoryError('INVALID_INPUT', `invalid depth "${shown(depth)}"; give a whole number from 0`)
  const { limit, cursor } = pageOf(input)
  const levels = depth === 0 ? Number.POSITIVE_INFINITY : depth
  return store.read(async (tx) => {
    const root = rootId === undefined ? undefined : await findNode(tx, rootId)
    if (rootId !== undefined && !root) throw new MemoryError('NOT_FOUND', `root node ${rootId} not found`)
    const start = await startAt(tx, { root: rootId, after: cursor, depth: levels, expected: limit + 1 })
    const ids = new Map(start.above.map(({ key, id }) => [key, id]))
    const nodes: ForestPageNode[] = []
    for await (const step of start.steps) {
      // A damaged memory may have cycles: stop there.
      if (step.distance > 0 && step.key === root?.key) break
      if (nodes.length === limit) return { nodes, next_cursor: nodes.at(-1)?.id ?? null }
      ids.set(step.key, step.id)
      nodes.push(toNode(step, start.topDepth, await parentOf(tx, step, ids)))
    }
    return { nodes, next_cursor: null }
  })
}

async function startAt(tx: ReadTx, input: Parameters<typeof startOf>[1]) {
  try {
    return await startOf(tx, input)
  } catch (error) {
    // Only the cursor can be invalid here; name it as the caller does.
    if (error instanceof MemoryError && error.code === 'INVALID_INPUT') throw invalidCursor()
    throw error
  }
}

/** Known from this page or from its start, except the parent of a subtree's root. */
async function parentOf(tx: ReadTx, row: Step, ids: Map<number, string>): Promise<string | null> {
  if (row.parentKey === null) return null
  const known = ids.get(row.parentKey)
  if (known !== undefined) return known
  return (await tx.nodes({ keys: [row.parentKey] }, 'outline'))[0]?.id ?? null
}

function toNode(row: Step, topDepth: number, parentId: string | null): ForestPageNode {
  return {
    id: row.id,
    parent_id: parentId,
    type: row.type,
    label: row.label,
    depth: topDepth + row.distance,
    tokens: row.tokens,
    temperature: row.temperature,
    source: row.source,
    child_count: row.children,
  }
}
