import { needs, shown } from '../../errors.ts'
import type { NodeName } from '../../port/heat.ts'
import type { OutlineRow } from '../../port/nodes.ts'
import type { Store } from '../../port/store.ts'
import { utf8Length } from '../../tokens.ts'
import { roomOf } from '../budget.ts'
import { nextLine } from '../node-line.ts'
import { checkDepth } from './depth.ts'
import { MAX_HIDDEN, type TreeAnswer, type TreeInput, type TreeNode } from './tree-model.ts'
import { startOf, type TreeStart } from './tree-start.ts'
import { createTreeLine, moreLine, underLine } from './tree-text.ts'
import type { Step } from './walk.ts'

const DEFAULT_DEPTH = 3
const DEFAULT_LIMIT = 200
/** In bytes, to estimate how many nodes fit: if they are shorter, more are read. */
const USUAL_LINE = 64

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
    // A document ends where the next one begins.
    const expected = Math.min(limit, Math.ceil(room / USUAL_LINE)) + (areDocuments ? 2 : 1)
    const start = await startOf(tx, {
      ...{ root, after, depth: levels, expected },
      sizes: { max: MAX_HIDDEN },
    })
    const page = createPage(start, { room, limit })
    const nodes = areDocuments
      ? documentNodes(start.steps, start.documentId)
      : outlineNodes(start.steps, { ...start, levels })
    for await (const { row, node } of nodes)
      if (page.isFull() || !page.add(row, node)) {
        page.endEarly()
        break
      }
    return page.answer()
  })
}

interface Shown {
  row: OutlineRow
  node: TreeNode
}

async function* outlineNodes(
  steps: AsyncIterable<Step>,
  { topDepth, levels }: { topDepth: number; levels: number },
): AsyncGenerator<Shown> {
  for await (const row of steps) {
    const node = toNode(row, topDepth + row.distance)
    const isCut = row.distance >= levels && row.children > 0
    yield { row, node: isCut ? { ...node, hidden: row.below?.nodes ?? 0 } : node }
  }
}

function toNode(row: OutlineRow, depth: number): TreeNode {
  const { id, type, label, source, tokens, temperature, children } = row
  return { id, type, label, depth, path: source, tokens, temperature, children }
}

/** The first node of each document except `before`, with the number of its other nodes. */
async function* documentNodes(steps: AsyncIterable<Step>, before: number | undefined): AsyncGenerator<Shown> {
  let roots: [Step, ...Step[]] | undefined
  for await (const row of steps) {
    if (row.documentId === before) continue
    if (row.documentId === roots?.[0].documentId) roots.push(row)
    else {
      if (roots) yield documentNode(roots)
      roots = [row]
    }
  }
  if (roots) yield documentNode(roots)
}

/** Front matter, which has no descendants, represents a document only if there is nothing else. */
function documentNode(roots: readonly [Step, ...Step[]]): Shown {
  const [row, second] = roots
  const shown = row.type === 'preamble' && second ? second : row
  const node = toNode(shown, shown.distance)
  const below = ({ below }: Step): number => below?.nodes ?? 0
  const all = roots.reduce((sum, root) => sum + 1 + below(root), 0)
  const hidden = Math.min(all - 1, MAX_HIDDEN)
  const isBeside = below(shown) < hidden
  return { row, node: hidden === 0 ? node : { ...node, hidden, ...(isBeside && { isBeside }) } }
}

/** Collects nodes while they fit together with the line that says how to continue. */
function createPage(
  { topDepth, above, following }: TreeStart,
  { room, limit }: { room: number; limit: number },
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
    /** Returns false if it does not fit. */
    add(row: OutlineRow, given: TreeNode): boolean {
      const node = nodes.length === 0 ? begin(row, given) : given
      const bytes = utf8Length(lineOf(node)) + 1
      if (bytes > left && nodes.length > 0) return false
      left -= bytes
      nodes.push(node)
      read.push({ id: row.id, key: row.key })
      return true
    },
    /** There are more nodes than were added. */
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
