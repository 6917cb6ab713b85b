import { needs, shown } from '../errors.ts'
import type { NodeName } from '../port/heat.ts'
import type { OutlineRow } from '../port/nodes.ts'
import type { ReadTx, Store } from '../port/store.ts'
import { utf8Length } from '../tokens.ts'
import { roomOf } from './budget.ts'
import { checkDepth } from './depth.ts'
import { nextLine } from './next-in-document.ts'
import { MAX_HIDDEN, type TreeAnswer, type TreeInput, type TreeNode } from './tree-model.ts'
import { startOf, type TreeStart } from './tree-start.ts'
import { createTreeLine, moreLine, underLine } from './tree-text.ts'
import type { Step } from './walk.ts'

const DEFAULT_DEPTH = 3
const DEFAULT_LIMIT = 200
/** In bytes, to guess how many there is room for: where they are shorter, more are read. */
const USUAL_LINE = 64
/** Documents that are counted at once. */
const DOCUMENTS = 32

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
    const expected = Math.min(limit, Math.ceil(room / USUAL_LINE)) + 1
    const start = await startOf(tx, {
      ...{ root, after, depth: levels, expected },
      ...(areDocuments ? {} : { sizes: { max: MAX_HIDDEN } }),
    })
    const page = createPage(start, { room, limit })
    const nodes = areDocuments
      ? documentNodes(tx, firstNodes(start.steps, start.documentId))
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

interface First {
  row: Step
  /** What stands for the document: not its front matter, which has nothing below it, where there is something else. */
  shown: Step
}

/** The first node of each document but `before`. */
async function* firstNodes(steps: AsyncIterable<Step>, before: number | undefined): AsyncGenerator<First> {
  let last: First | undefined
  for await (const row of steps) {
    if (row.documentId === before) continue
    if (row.documentId === last?.row.documentId) {
      if (last.shown.type === 'preamble' && last.shown === last.row) last.shown = row
      continue
    }
    if (last) yield last
    last = { row, shown: row }
  }
  if (last) yield last
}

/** Documents, with how many nodes each has besides the one that stands for it. */
async function* documentNodes(tx: ReadTx, all: AsyncIterable<First>): AsyncGenerator<Shown> {
  for await (const some of batches(all, DOCUMENTS)) {
    const starts = some.map(({ shown: { id } }) => ({ id }))
    const [counts, counted] = await Promise.all([
      tx.countNodesOf(
        some.map(({ row }) => row.documentId),
        MAX_HIDDEN + 1,
      ),
      tx.outline(starts, { fields: 'outline', depth: 0, limit: DOCUMENTS, sizes: { max: MAX_HIDDEN } }),
    ])
    for (const [at, { row, shown }] of some.entries()) {
      const node = toNode(shown, shown.distance)
      const hidden = (counts[at] ?? 1) - 1
      const isBeside = (counted[at]?.below?.nodes ?? 0) < hidden
      yield { row, node: hidden === 0 ? node : { ...node, hidden, ...(isBeside && { isBeside }) } }
    }
  }
}

async function* batches<T>(all: AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
  const some: T[] = []
  for await (const one of all) if (some.push(one) >= size) yield some.splice(0)
  if (some.length > 0) yield some
}

/** Gathers nodes while there is room for them, and for the line that says how to go on. */
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
