import { needs } from '../../errors.ts'
import type { NodeName } from '../../port/heat.ts'
import type { Size, Walked } from '../../port/nodes.ts'
import type { ReadTx, Store } from '../../port/store.ts'
import { utf8Length } from '../../tokens.ts'
import { notFound } from '../../write/operation.ts'
import { roomOf } from '../budget.ts'
import { mostBytes } from '../fit.ts'
import { nextLine } from '../node-line.ts'
import { checkDepth } from './depth.ts'
import {
  type FetchAnswer,
  type FetchedNode,
  type FetchInput,
  type LeftOut,
  MAX_COUNT,
} from './fetch-model.ts'
import { fetchPage } from './fetch-page.ts'
import { snapshotFact } from './fetch-text.ts'
import { type Around, type Near, nearestFirst } from './nearest.ts'
import { bytesOf, mostBytesOf, trim } from './trim.ts'

const DEFAULT_DEPTH = 32
/** Most reads have fewer nodes. If more fit, a larger page is read. */
const FIRST_PAGE = 64
const GROWTH = 8

/** An upper bound for the lines about the whole answer. */
const ABOUT_BYTES = mostBytes([], 2)

const NOTHING: LeftOut = { above: 0, below: 0, tokens: 0, isMore: false, next: null }

type Fetched = FetchAnswer & { read: NodeName[] }

/** An anchor with its ancestors and descendants. If not everything fits: the nearest nodes, or a page. */
export async function fetch(store: Pick<Store, 'read'>, input: FetchInput): Promise<Fetched> {
  needs(typeof input?.anchor === 'string', 'fetch needs { anchor }: the id of a node')
  const { anchor, budget, depth = DEFAULT_DEPTH, after, isPaged = after !== undefined } = input
  const room = roomOf(budget)
  const levels = checkDepth(depth)
  return store.read(async (tx) => {
    const state = tx.state()
    if (after === undefined) {
      const reading = await readAround(tx, anchor, { depth: levels, room, state })
      const nearest = await fetchNearest(tx, reading, { anchor, levels, room })
      const whole = isWhole(nearest)
        ? wholeWith(nearest, reading.following, room - bytesOfAll(reading.sizes))
        : undefined
      if (whole || !isPaged) return whole ?? nearest
    }
    const snapshotId = (await state).head?.id ?? 0
    const page = { anchor, depth: levels, after, room, snapshotId }
    const { rows, ...answer } = await fetchPage(tx, page)
    return { ...answer, read: rows.map(({ id, key }) => ({ id, key })) }
  })
}

function isWhole({ nodes, leftOut }: FetchAnswer): boolean {
  return leftOut.above + leftOut.below === 0 && nodes.every(({ cut }) => cut === undefined)
}

/** Undefined if `left` bytes are not enough for the line about the next root. */
function wholeWith(answer: Fetched, following: string | undefined, left: number): Fetched | undefined {
  if (!following) return answer
  return utf8Length(nextLine(following)) <= left ? { ...answer, nextInDocument: following } : undefined
}

function bytesOfAll(sizes: readonly number[]): number {
  return sizes.reduce((sum, size) => sum + size, 0)
}

async function fetchNearest(
  tx: ReadTx,
  reading: Reading,
  { anchor, levels, room }: { anchor: string; levels: number; room: number },
): Promise<Fetched> {
  const leftOut = await countOthers(tx, reading, levels)
  const { taken, sizes, snapshotId } = reading
  const shown = trim(taken, sizes, room, leftOut)
  return {
    anchor,
    nodes: inDocumentOrder(shown),
    leftOut: leftOut(shown.length),
    snapshotId,
    read: shown.map(({ row }) => ({ id: row.id, key: row.key })),
  }
}

interface Taken {
  /** From the nearest outwards until there is no more room; the last one may exceed it. */
  taken: Near[]
  /** The maximum size of each. */
  sizes: number[]
  /** The nearest node below that was not taken. */
  beyond: Near | undefined
}

type Row = Walked<'reading'>

interface Reading extends Around, Taken {
  /** The root after the anchor, if the anchor is at the top of its document. */
  following: string | undefined
  snapshotId: number
}

async function readAround(
  tx: ReadTx,
  anchor: string,
  { depth, room, state }: { depth: number; room: number; state: ReturnType<ReadTx['state']> },
): Promise<Reading> {
  const how = { fields: 'reading', depth, sizes: { max: MAX_COUNT + 1, tokens: true } } as const
  for (let limit = FIRST_PAGE; ; limit *= GROWTH) {
    const [rows, { head }] = await Promise.all([
      tx.walk({ ids: [anchor] }, { direction: 'both', limit, ...how }),
      state,
    ])
    const snapshotId = head?.id ?? 0
    const at = rows.findIndex(({ distance }) => distance === 0)
    const top = rows[at] ?? notFound(anchor)
    const below = rows.slice(at)
    const around = { above: rows.slice(0, at).reverse(), below, isAll: below.length < limit }
    const taken = take(nearestFirst(around, snapshotFact(snapshotId)), room)
    if (around.isAll || taken.beyond) return { ...around, ...taken, following: top.following, snapshotId }
  }
}

function take(candidates: Near[], room: number): Taken {
  const most = candidates.map(mostBytesOf)
  if (bytesOfAll(most) + ABOUT_BYTES <= room) return { taken: candidates, sizes: most, beyond: undefined }
  const sizes: number[] = []
  let bytes = 0
  for (const near of candidates) {
    const size = bytesOf(near)
    sizes.push(size)
    bytes += size
    if (bytes > room) break
  }
  const beyond = candidates.slice(sizes.length).find(({ isAbove }) => !isAbove)
  return { taken: candidates.slice(0, sizes.length), sizes, beyond }
}

/** What is left out if only the first `kept` of the taken nodes are shown. */
async function countOthers(
  tx: ReadTx,
  { taken, beyond, above, below, isAll }: Reading,
  depth: number,
): Promise<(kept: number) => LeftOut> {
  const all = above.length + below.length
  // Nodes at the requested depth may have descendants.
  const isWhole = isAll && (below.at(-1)?.distance ?? 0) < depth
  const max = taken.length + MAX_COUNT
  const total = isWhole ? sumOf(below.slice(1)) : await totalBelow(tx, below[0], max)
  return (kept) => {
    if (isWhole && kept === all) return { ...NOTHING }
    const shown = taken.slice(0, kept)
    const shownBelow = sumOf(shown.flatMap(({ row, isAbove }) => (isAbove ? [] : [row])).slice(1))
    const shownAbove = kept - shownBelow.nodes - 1
    const tokensAbove = sumOf(above.slice(shownAbove)).tokens
    return {
      above: above.length - shownAbove,
      below: total.nodes - shownBelow.nodes,
      tokens: total.tokens - shownBelow.tokens + tokensAbove,
      isMore: !isWhole && total.nodes === max,
      next: taken.slice(kept).find(({ isAbove }) => !isAbove)?.node.id ?? beyond?.node.id ?? null,
    }
  }
}

/** Counted up to `max`: if there are fewer than already counted, that is all. */
async function totalBelow(tx: ReadTx, top: Row | undefined, max: number): Promise<Size> {
  const known = top?.below ?? { nodes: 0, tokens: 0 }
  if (!top || known.nodes <= MAX_COUNT) return known
  const how = {
    direction: 'down',
    fields: 'lineage',
    depth: 0,
    limit: 1,
    sizes: { max, tokens: true },
  } as const
  const [row] = await tx.walk({ keys: [top.key] }, how)
  return row?.below ?? known
}

function sumOf(rows: readonly Row[]): Size {
  return { nodes: rows.length, tokens: rows.reduce((sum, { tokens }) => sum + tokens, 0) }
}

/** The found nodes in document order: ancestors from the top down, descendants depth first. */
function inDocumentOrder(shown: readonly Near[]): FetchedNode[] {
  const nodes: FetchedNode[] = []
  const below = new Map<Row | undefined, Near[]>()
  for (const near of shown) {
    if (near.isAbove) nodes.push(near.node)
    else {
      const siblings = below.get(near.from?.row)
      if (siblings) siblings.push(near)
      else below.set(near.from?.row, [near])
    }
  }
  nodes.reverse()
  const waiting = below.get(undefined) ?? []
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    nodes.push(next.node)
    const children = below.get(next.row) ?? []
    for (let child = children.pop(); child; child = children.pop()) waiting.push(child)
  }
  return nodes
}
