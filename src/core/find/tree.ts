import { needs, shown } from '../errors.ts'
import type { NodeName } from '../port/heat.ts'
import type { OutlineRow } from '../port/outline.ts'
import type { ReadTx, Store } from '../port/store.ts'
import { utf8Length } from '../tokens.ts'
import { roomOf } from './budget.ts'
import { checkDepth } from './depth.ts'
import { nextInDocument, nextLine } from './next-in-document.ts'
import { MAX_HIDDEN, type TreeAnswer, type TreeInput, type TreeNode } from './tree-model.ts'
import { startOf, type TreeStart } from './tree-start.ts'
import { createTreeLine, moreLine, underLine } from './tree-text.ts'
import { type Step, walk } from './walk.ts'

const DEFAULT_DEPTH = 3
const DEFAULT_LIMIT = 200

/** One page of an outline: nodes in document order, without their texts. Costs what it shows. */
export async function tree(
  store: Pick<Store, 'read'>,
  input: TreeInput = {},
): Promise<TreeAnswer & { read: NodeName[] }> {
  needs(typeof input === 'object' && input !== null, 'tree needs an object, or nothing')
  const { root, depth = DEFAULT_DEPTH, budget, limit = DEFAULT_LIMIT, after } = input
  const levels = checkDepth(depth)
  // At this depth an outline is the list of documents.
  const areDocuments = levels === 0 && root === undefined
  const room = roomOf(budget)
  needs(
    Number.isSafeInteger(limit) && limit > 0,
    `limit must be a positive whole number, got ${shown(limit)}`,
  )
  return store.read(async (tx) => {
    const start = await startOf(tx, { root, after, depth: levels })
    const following = start.top && (await nextInDocument(tx, start.top))
    const page = createPage(start, { room, limit, following })
    let document = areDocuments ? start.documentId : undefined
    for await (const step of walk(start.reader, start.frames, levels)) {
      if (areDocuments && step.row.documentId === document) continue
      document = step.row.documentId
      const node = areDocuments ? await toDocument(tx, step) : await toNode(tx, step, { ...start, levels })
      if (page.isFull() || !page.add(step.row, node)) {
        page.endEarly()
        break
      }
    }
    return page.answer()
  })
}

async function toNode(
  tx: ReadTx,
  { row, level }: Step,
  { topDepth, levels }: { topDepth: number; levels: number },
): Promise<TreeNode> {
  const { id, type, label, source, tokens, temperature, children } = row
  const node = { id, type, label, depth: topDepth + level, path: source, tokens, temperature, children }
  if (level < levels || children === 0) return node
  return { ...node, hidden: await tx.countBelow(row.key, MAX_HIDDEN) }
}

/** The first node of a document stands for all of it; not its front matter, which has nothing below it. */
async function toDocument(tx: ReadTx, { row: first, level }: Step): Promise<TreeNode> {
  const row = (first.type === 'preamble' ? await rowAfter(tx, first) : undefined) ?? first
  const { id, type, label, source, tokens, temperature, children } = row
  const hidden = (await tx.countNodesOf(row.documentId, MAX_HIDDEN + 1)) - 1
  const node = { id, type, label, depth: level, path: source, tokens, temperature, children }
  if (hidden === 0) return node
  const below = await tx.countBelow(row.key, MAX_HIDDEN)
  return below < hidden ? { ...node, hidden, isBeside: true } : { ...node, hidden }
}

async function rowAfter(tx: ReadTx, row: OutlineRow): Promise<OutlineRow | undefined> {
  const id = await nextInDocument(tx, row)
  return id === undefined ? undefined : (await tx.outlineByIds([id]))[0]
}

/** Gathers nodes while there is room for them, and for the line that says how to go on. */
function createPage(
  { topDepth, above }: TreeStart,
  { room, limit, following }: { room: number; limit: number; following: string | undefined },
) {
  const lineOf = createTreeLine(topDepth)
  const nodes: TreeNode[] = []
  const read: NodeName[] = []
  let under: TreeAnswer['under'] = null
  let next: string | null = null
  let left = Number.POSITIVE_INFINITY

  function begin(row: OutlineRow, node: TreeNode): TreeNode {
    left = room - Math.max(utf8Length(moreLine(node.id)), following ? utf8Length(nextLine(following)) : 0)
    const parent = above.find(({ key }) => key === row.parentKey)
    const bytes = parent ? utf8Length(underLine(parent)) + 1 : 0
    const lineBytes = utf8Length(createTreeLine(topDepth)(node)) + 1
    if (parent && bytes + lineBytes <= left) {
      under = { id: parent.id, label: parent.label }
      left -= bytes
    }
    return lineBytes > left ? { ...node, brief: true } : node
  }

  return {
    isFull: (): boolean => nodes.length === limit,
    /** False when there is no room for it. */
    add(row: OutlineRow, given: TreeNode): boolean {
      const node = nodes.length === 0 ? begin(row, given) : given
      const bytes = utf8Length(lineOf(node)) + 1
      if (bytes > left && nodes.length > 0) return false
      left -= bytes
      nodes.push(node)
      read.push({ id: row.id, key: row.key })
      return true
    },
    /** There is more than was added. */
    endEarly(): void {
      next = nodes.at(-1)?.id ?? null
    },
    answer: () => ({
      nodes,
      topDepth,
      under,
      next,
      ...(next === null && following ? { nextInDocument: following } : {}),
      read,
    }),
  }
}
