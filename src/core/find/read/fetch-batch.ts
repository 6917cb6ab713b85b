import { joinCursor } from '../../cursor-parts.ts'
import { needs } from '../../errors.ts'
import type { NodeName } from '../../port/heat.ts'
import type { OutlineRow } from '../../port/nodes.ts'
import type { ReadTx, Store } from '../../port/store.ts'
import { estimateTokens, utf8Length } from '../../tokens.ts'
import { roomOf } from '../budget.ts'
import { cutNode, GAP, nodeBlock } from '../node-block.ts'
import { batchText } from './fetch-batch-text.ts'
import { type BatchNode, type FetchBatchAnswer, type FetchBatchInput, MAX_IDS } from './fetch-model.ts'
import { MAX_OFFSET } from './fetch-page.ts'
import { snapshotFact } from './fetch-text.ts'

/** Nodes by id with their texts, without their surroundings. As many as fit, in the order of `ids`. */
export async function fetchBatch(
  store: Pick<Store, 'read'>,
  input: FetchBatchInput,
): Promise<FetchBatchAnswer & { read: NodeName[] }> {
  const asked = checkIds(input?.ids)
  const room = roomOf(input.budget)
  return store.read(async (tx) => {
    const [found, { head }] = await Promise.all([tx.nodes({ ids: asked }, 'outline'), tx.state()])
    const known = new Set(found.map(({ id }) => id))
    const notFound = asked.filter((id) => !known.has(id))
    const snapshotId = head?.id ?? 0
    const overAll = found.map(({ id }) => id)
    checkRoom(room, { nodes: [], notFound, overBudget: overAll, next: null, snapshotId })
    const taking = { notFound, snapshotId, room }
    const fitting = await takeFitting(tx, found, taking)
    const isPart = input.isPaged === true && fitting.length === 0
    const { nodes, next } = isPart ? await takePart(tx, found, taking) : { nodes: fitting, next: null }
    const taken = new Set(nodes.map(({ id }) => id))
    return {
      nodes,
      notFound,
      overBudget: overAll.filter((id) => !taken.has(id)),
      next,
      snapshotId,
      read: found.filter(({ id }) => taken.has(id)).map(({ id, key }) => ({ id, key })),
    }
  })
}

/** Without duplicates. */
function checkIds(ids: readonly string[]): string[] {
  const isList = Array.isArray(ids) && ids.every((id) => typeof id === 'string')
  needs(isList, 'fetchBatch needs { ids }: a list of the ids of nodes')
  needs(ids.length > 0, 'ids must be non-empty')
  needs(ids.length <= MAX_IDS, `ids length ${ids.length} exceeds cap ${MAX_IDS}`)
  return [...new Set(ids)]
}

/** The result of every id must at least be listed. */
function checkRoom(room: number, lists: FetchBatchAnswer): void {
  const { notFound, overBudget } = lists
  const tokens = estimateTokens(`${batchText(lists)}\n`)
  needs(
    utf8Length(batchText(lists)) <= room,
    `a budget for ${notFound.length + overBudget.length} ids is at least ${tokens} tokens; raise it, or ask for fewer`,
  )
}

interface Taking {
  notFound: string[]
  snapshotId: number
  room: number
}

/** At every step there is room to list all remaining ids as over budget. */
async function takeFitting(
  tx: ReadTx,
  rows: readonly OutlineRow[],
  { notFound, snapshotId, room }: Taking,
): Promise<BatchNode[]> {
  // A text larger than the answer is not loaded.
  const small = rows.filter(({ tokens }) => tokens * 4 < room + 4)
  const texts = await textsOf(tx, small)
  const nodes: BatchNode[] = []
  const overBudget: string[] = []
  let bytes = 0
  for (const [at, row] of rows.entries()) {
    const others = rows.slice(at + 1).map(({ id }) => id)
    const lists = { nodes: [], notFound, overBudget: [...overBudget, ...others], next: null, snapshotId }
    const node = toNode(row, texts.get(row.key))
    const facts = nodes.length === 0 ? snapshotFact(snapshotId) : undefined
    const size = node ? utf8Length(nodeBlock(node, { file: node.path, facts })) + GAP.length : 0
    if (node && bytes + size + utf8Length(batchText(lists)) <= room) {
      nodes.push(node)
      bytes += size
    } else overBudget.push(row.id)
  }
  return nodes
}

/** Not even the first fits: returns its beginning, and a fetch continues. */
async function takePart(
  tx: ReadTx,
  [first, ...others]: readonly OutlineRow[],
  { notFound, snapshotId, room }: Taking,
): Promise<Pick<FetchBatchAnswer, 'nodes' | 'next'>> {
  const texts = await textsOf(tx, first ? [first] : [])
  const node = first && toNode(first, texts.get(first.key))
  if (!node) return { nodes: [], next: null }
  const overBudget = others.map(({ id }) => id)
  const around = batchText({
    nodes: [],
    notFound,
    overBudget,
    next: joinCursor(node.id, MAX_OFFSET),
    snapshotId,
  })
  const options = { file: node.path, facts: snapshotFact(snapshotId) }
  const part = cutNode(node, room - utf8Length(around) - GAP.length, options)
  return part ? { nodes: [part], next: joinCursor(node.id, part.text.length) } : { nodes: [], next: null }
}

async function textsOf(tx: ReadTx, rows: readonly OutlineRow[]): Promise<Map<number, string>> {
  const found = await tx.nodes({ keys: rows.map(({ key }) => key) }, 'text')
  return new Map(found.map(({ key, text }) => [key, text]))
}

function toNode(row: OutlineRow, text: string | undefined): BatchNode | undefined {
  const { id, type, label, source, tokens, temperature } = row
  return text === undefined ? undefined : { id, type, label, path: source, tokens, temperature, text }
}
