import { joinCursor, splitPlace } from '../../cursor-parts.ts'
import { notACursor } from '../../errors.ts'
import type { BriefRow, Size, Walked } from '../../port/nodes.ts'
import type { ReadTx } from '../../port/store.ts'
import { estimateTokens, utf8Length } from '../../tokens.ts'
import { cutNode, GAP, nodeBlock } from '../node-block.ts'
import { nextLine } from '../node-line.ts'
import { MAX_DEPTH } from './depth.ts'
import { type FetchAnswer, type FetchedNode, MAX_COUNT } from './fetch-model.ts'
import { createFetchBlocks, pageLine } from './fetch-text.ts'
import { lineage, startOf } from './tree-start.ts'

export interface FetchPageInput {
  anchor: string
  depth: number
  /** `next` of the previous page. */
  after: string | undefined
  /** In bytes. */
  room: number
  snapshotId: number
}

/** A node of a page before its text is read. */
interface Placed {
  row: Walked<'outline'>
  depth: number
  /** Characters of its text on earlier pages; undefined: it begins here. */
  from?: number
}

/** Maximum number of characters in a cursor. */
export const MAX_OFFSET = 999_999_999
/** Minimum bytes of a node on a page. */
const LEAST_BLOCK = 32

type FetchPage = FetchAnswer & { rows: BriefRow[] }

/**
 * A node and its descendants in document order, as many whole nodes as fit; the first page also has its ancestors. A
 * text longer than a page is cut between words, and the next page continues there.
 */
export async function fetchPage(tx: ReadTx, input: FetchPageInput): Promise<FetchPage> {
  const cursor = cursorOf(input.after)
  const { anchor: root, depth, room } = input
  const expected = Math.ceil(room / LEAST_BLOCK)
  const [start, above, begun] = await Promise.all([
    startOf(tx, { root, after: cursor?.id, depth, expected, sizes: { max: MAX_COUNT, tokens: true } }),
    cursor ? NONE_ABOVE : aboveOf(tx, input),
    cursor?.from === undefined ? [] : begunNode(tx, cursor.id, cursor.from),
  ])
  const page = createPage(input, { above, anchorDepth: start.topDepth, following: start.following })
  const placed = (async function* () {
    yield* begun
    for await (const row of start.steps) yield { row, depth: start.topDepth + row.distance }
  })()
  for await (const some of batches(placed, room)) {
    const texts = await textsOf(tx, some)
    for (const one of some) {
      const isDeepest = one.depth === start.topDepth + depth && one.row.children > 0
      const below = isDeepest ? one.row.below : undefined
      if (!page.add(one, texts.get(one.row.key) ?? '', below ?? NONE_BELOW)) return page.answer()
    }
  }
  return page.answer()
}

async function textsOf(tx: ReadTx, some: readonly { row: { key: number } }[]): Promise<Map<number, string>> {
  const rows = await tx.nodes({ keys: some.map(({ row }) => row.key) }, 'text')
  return new Map(rows.map(({ key, text }) => [key, text]))
}

/** Nodes deeper than requested; counted up to `MAX_COUNT`. */
type Below = Size

const NONE_BELOW: Below = { nodes: 0, tokens: 0 }

function added(some: Below, more: Below): Below {
  return { nodes: Math.min(MAX_COUNT, some.nodes + more.nodes), tokens: some.tokens + more.tokens }
}

interface Cursor {
  id: string
  /** Characters of its text that were shown; undefined: all of it. */
  from: number | undefined
}

/** `25FHWVYdid1`: after this node; `25FHWVYdid1:3960`: after that many characters of its text. */
function cursorOf(after: string | undefined): Cursor | undefined {
  if (after === undefined) return undefined
  const { name: id, from } = splitPlace(String(after))
  if (!/^\w+$/.test(id)) throw notACursor()
  return { id, from }
}

/** The node in which the previous page ended; nothing if it was removed. */
async function begunNode(tx: ReadTx, id: string, from: number): Promise<Placed[]> {
  const line = await lineage(tx, id)
  const how = {
    direction: 'down',
    fields: 'outline',
    depth: 0,
    sizes: { max: MAX_COUNT, tokens: true },
  } as const
  const [row] = await tx.walk({ ids: [id] }, how)
  return row ? [{ row, depth: line.length - 1, from }] : []
}

/** Reads texts in batches, but not many more than can be shown. */
async function* batches(placed: AsyncIterable<Placed>, room: number): AsyncGenerator<Placed[]> {
  let some: Placed[] = []
  let bytes = 0
  for await (const one of placed) {
    some.push(one)
    bytes += 4 * one.row.tokens + GAP.length
    if (bytes < room) continue
    yield some
    some = []
    bytes = 0
  }
  if (some.length > 0) yield some
}

interface Above {
  /** From the top down. */
  nodes: FetchedNode[]
  rows: BriefRow[]
  /** How many did not fit. */
  left: number
}

const NONE_ABOVE: Above = { nodes: [], rows: [], left: 0 }

/** The nearest ancestors, up to half of the room; without texts that are too long for that. */
async function aboveOf(tx: ReadTx, { anchor, room }: FetchPageInput): Promise<Above> {
  const line = (await tx.walk({ ids: [anchor] }, { direction: 'up', fields: 'reading' })).slice(1)
  const nodes: FetchedNode[] = []
  let left = room / 2
  for (const [at, one] of line.entries()) {
    const whole = toNode({ row: one, depth: line.length - 1 - at }, one.text)
    const bare = { ...whole, text: '', cut: whole.tokens }
    const node = [whole, bare].find((shown) => bytesAbove(shown) <= left)
    if (!node) return { nodes, rows: line.slice(0, at), left: line.length - at }
    left -= bytesAbove(node)
    nodes.unshift(node)
  }
  return { nodes, rows: line, left: 0 }
}

/** An upper bound: its indentation depends on the ancestors shown. */
function bytesAbove(node: FetchedNode): number {
  return utf8Length(nodeBlock(node, { level: node.depth, file: node.path, isPlace: true })) + GAP.length
}

interface PageParts {
  above: Above
  anchorDepth: number
  /** The root after the anchor in its document. */
  following: string | undefined
}

function createPage(input: FetchPageInput, { above, anchorDepth, following }: PageParts) {
  const { anchor, room, snapshotId } = input
  const topDepth = above.nodes[0]?.depth ?? anchorDepth
  const blocks = createFetchBlocks({ anchor, snapshotId, topDepth, hasAnchor: input.after === undefined })
  const nodes: FetchedNode[] = []
  const rows: BriefRow[] = []
  let below = NONE_BELOW
  let next: string | null = null
  let used = following ? utf8Length(nextLine(following)) + GAP.length : 0
  for (const node of above.nodes) used += utf8Length(blocks.push(node)) + GAP.length

  /** Besides the longest possible line about the rest. */
  function leftBeside({ nodes: count, tokens }: Below): number {
    const rest = { above: above.left, below: count, tokens, top: anchor, deeper: null }
    return room - used - utf8Length(pageLine({ ...rest, next: joinCursor(anchor, MAX_OFFSET) }))
  }

  /** At least a part of the first node: the next page must make progress. */
  function addPart(node: FetchedNode): void {
    const part = cutNode(blocks.shownAs(node), leftBeside(below) - GAP.length, blocks.optionsOf(node))
    const text = part?.text ?? ''
    const cut = Math.max(1, estimateTokens(node.text.slice(text.length)))
    nodes.push({ ...node, text, cut, ...(part === undefined && { brief: true }) })
    next = joinCursor(node.id, (node.from ?? 0) + text.length)
  }

  return {
    /** Returns false if it does not fit whole. */
    add(placed: Placed, text: string, deeper: Below): boolean {
      const node = toNode(placed, text.slice(placed.from ?? 0))
      const bytes = utf8Length(blocks.peek(node)) + GAP.length
      if (bytes <= leftBeside(added(below, deeper))) {
        used += bytes
        below = added(below, deeper)
        blocks.push(node)
        nodes.push(node)
      } else if (nodes.length === 0) addPart(node)
      else next = nodes.at(-1)?.id ?? null
      if (nodes.length > rows.length) rows.push(placed.row)
      return next === null
    },
    answer(): FetchPage {
      const isMore = next !== null || below.nodes === MAX_COUNT
      const canGoDeeper = next === null && below.nodes > 0 && input.depth < MAX_DEPTH
      return {
        anchor,
        nodes: [...above.nodes, ...nodes],
        leftOut: { above: above.left, below: below.nodes, tokens: below.tokens, isMore, next: null },
        page: { topDepth, next, deeper: canGoDeeper ? input.depth + 1 : null },
        ...(next === null && following ? { nextInDocument: following } : {}),
        snapshotId,
        rows: [...above.rows, ...rows],
      }
    },
  }
}

function toNode({ row, depth, from }: Omit<Placed, 'row'> & { row: BriefRow }, text: string): FetchedNode {
  const { id, type, label, source, tokens, temperature } = row
  const node = { id, type, label, depth, path: source, tokens, temperature, text }
  return from === undefined ? node : { ...node, from }
}
