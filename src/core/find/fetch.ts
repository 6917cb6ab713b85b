import { needs } from '../errors.ts'
import { outlineNode } from '../operation.ts'
import type { ReadTx, Store } from '../store.ts'
import type { NodeName } from '../store-heat.ts'
import type { OutlineRow } from '../store-outline.ts'
import { roomOf } from './budget.ts'
import { checkDepth } from './depth.ts'
import type { FetchAnswer, FetchedNode, FetchInput, LeftOut } from './fetch-model.ts'
import { snapshotFact } from './fetch-text.ts'
import { lineage, type Near, nearestFirst } from './nearest.ts'
import { type Taken, toTaken, trim } from './trim.ts'

const DEFAULT_DEPTH = 32
const BATCH = 64
/** Nodes left out below are counted up to here. */
const MAX_COUNT = 1000

/** An anchor with what is above and below it; the nearest, where there is no room for all. */
export async function fetch(store: Store, input: FetchInput): Promise<FetchAnswer & { read: NodeName[] }> {
  needs(typeof input?.anchor === 'string', 'fetch needs { anchor }: the id of a node')
  const { anchor, budget, depth = DEFAULT_DEPTH } = input
  const room = roomOf(budget)
  const levels = checkDepth(depth)
  return store.read(async (tx) => {
    const line = await lineage(tx, await outlineNode(tx, anchor))
    const snapshotId = (await tx.head())?.id ?? 0
    const facts = snapshotFact(snapshotId)
    const { taken, beyond } = await take(tx, nearestFirst(tx, line, levels), { room, facts })
    const leftOut = await countOthers(tx, { taken, beyond, above: line.slice(1) })
    const shown = trim(taken, room, leftOut)
    return {
      anchor,
      nodes: inDocumentOrder(shown),
      leftOut: leftOut(shown.length),
      snapshotId,
      read: shown.map(({ near: { row } }) => ({ id: row.id, key: row.key })),
    }
  })
}

/** Nodes from the nearest outwards until there is no more room; the last one may be beyond it. */
async function take(
  tx: ReadTx,
  candidates: AsyncGenerator<Near[]>,
  { room, facts }: { room: number; facts: string },
): Promise<{ taken: Taken[]; beyond: Near | undefined }> {
  const taken: Taken[] = []
  const waiting: Near[] = []
  let bytes = 0
  for (;;) {
    const batch = await nextBatch(waiting, candidates, room - bytes)
    if (batch.length === 0) return { taken, beyond: undefined }
    const texts = await tx.nodeTexts(batch.map(({ row }) => row.key))
    for (const [at, near] of batch.entries()) {
      const one = toTaken(near, toNode(near, texts.get(near.row.key) ?? ''), near.from ? undefined : facts)
      taken.push(one)
      if (room === Number.POSITIVE_INFINITY) continue
      bytes += one.bytes
      if (bytes > room)
        return { taken, beyond: await firstBelow([...batch.slice(at + 1), ...waiting], candidates) }
    }
  }
}

/** No more than what may fit, and one: few texts are loaded to be thrown away. What is left over waits. */
async function nextBatch(waiting: Near[], candidates: AsyncGenerator<Near[]>, room: number): Promise<Near[]> {
  let count = 0
  for (let tokens = 0; count < BATCH && tokens * 4 <= room; count++) {
    while (count >= waiting.length) {
      const { value, done } = await candidates.next()
      if (done) return waiting.splice(0)
      waiting.push(...value)
    }
    tokens += waiting[count]?.row.tokens ?? 0
  }
  return waiting.splice(0, count)
}

async function firstBelow(
  rest: readonly Near[],
  candidates: AsyncIterable<Near[]>,
): Promise<Near | undefined> {
  const found = rest.find(({ isAbove }) => !isAbove)
  if (found) return found
  for await (const page of candidates) {
    const next = page.find(({ isAbove }) => !isAbove)
    if (next) return next
  }
  return undefined
}

function toNode({ row, depth }: Near, text: string): FetchedNode {
  const { id, type, label, source, tokens, temperature } = row
  return { id, type, label, depth, path: source, tokens, temperature, text }
}

interface Gathered {
  taken: Taken[]
  /** The nearest node below that was not taken. */
  beyond: Near | undefined
  above: OutlineRow[]
}

/** What is left out when only the first `kept` of `taken` are shown. */
async function countOthers(
  tx: ReadTx,
  { taken, beyond, above }: Gathered,
): Promise<(kept: number) => LeftOut> {
  const [anchor] = taken
  const below = taken.filter(({ near }) => !near.isAbove)
  // When the children of those that were taken were taken too, there are no others.
  const children = below.reduce((sum, { near }) => sum + near.row.children, 0)
  const isWhole = children === below.length - 1
  const max = below.length + MAX_COUNT
  const total = isWhole || !anchor ? sumOf(below.slice(1)) : await tx.sumBelow(anchor.near.row.key, max)
  return (kept) => {
    const shown = taken.slice(0, kept)
    const shownBelow = sumOf(shown.filter(({ near }) => !near.isAbove).slice(1))
    const shownAbove = shown.filter(({ near }) => near.isAbove).length
    const left = { nodes: total.nodes - shownBelow.nodes, tokens: total.tokens - shownBelow.tokens }
    const tokensAbove = above.slice(shownAbove).reduce((sum, { tokens }) => sum + tokens, 0)
    return {
      above: above.length - shownAbove,
      below: left.nodes,
      tokens: left.tokens + tokensAbove,
      isMore: !isWhole && total.nodes === max,
      next: taken.slice(kept).find(({ near }) => !near.isAbove)?.node.id ?? beyond?.row.id ?? null,
    }
  }
}

function sumOf(taken: readonly Taken[]): { nodes: number; tokens: number } {
  return { nodes: taken.length, tokens: taken.reduce((sum, { node }) => sum + node.tokens, 0) }
}

/** What was found from the anchor outwards, as the document has it: above from the top down, below depth first. */
function inDocumentOrder(shown: readonly Taken[]): FetchedNode[] {
  const above = shown.filter(({ near }) => near.isAbove).map(({ node }) => node)
  const below = new Map<Near | undefined, Taken[]>()
  for (const one of shown) {
    if (one.near.isAbove) continue
    const siblings = below.get(one.near.from)
    if (siblings) siblings.push(one)
    else below.set(one.near.from, [one])
  }
  const nodes = above.reverse()
  const waiting = [...(below.get(undefined) ?? [])]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    nodes.push(next.node)
    for (const child of (below.get(next.near) ?? []).toReversed()) waiting.push(child)
  }
  return nodes
}
