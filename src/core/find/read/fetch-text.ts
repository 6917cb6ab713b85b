import { plural } from '../../../util/text/units.ts'
import { type BlockOptions, GAP, nodeBlock } from '../node-block.ts'
import { nextLine } from '../node-line.ts'
import { type Paint, PLAIN } from '../paint.ts'
import {
  type FetchAnswer,
  type FetchedNode,
  type FetchPageEnd,
  type LeftOut,
  MAX_COUNT,
} from './fetch-model.ts'

/** The text of a `fetch` answer; see `docs/reference/reading.md`. Without a final line feed. */
export function fetchText(answer: FetchAnswer, paint: Paint = PLAIN): string {
  const { anchor, nodes, leftOut, snapshotId, page, nextInDocument } = answer
  const [top] = nodes
  const topDepth = page?.topDepth ?? top?.depth ?? 0
  const hasAnchor = nodes.some(({ id }) => id === anchor)
  const blocks = createFetchBlocks({ anchor, snapshotId, topDepth, hasAnchor, paint })
  const line = page ? pageLine({ ...leftOut, ...page, top: top?.id ?? anchor }) : leftOutLine(leftOut)
  const lines = [line, nextInDocument ? nextLine(nextInDocument) : ''].filter(Boolean)
  return [...nodes.map(blocks.push), ...lines.map(paint.dim)].join(GAP)
}

export interface FetchBlocksInput {
  anchor: string
  snapshotId: number
  /** Depth of the leftmost node. */
  topDepth: number
  /** The anchor is among the nodes. */
  hasAnchor: boolean
  paint?: Paint
}

/** Formats nodes in document order: the file is shown where it changes. */
export function createFetchBlocks(input: FetchBlocksInput) {
  const { anchor, snapshotId, topDepth, hasAnchor, paint = PLAIN } = input
  /** The path of the last node at each depth: the parent of a node is the last one above it. */
  const paths: string[] = []
  let isAbove = hasAnchor
  let isFirst = true

  function optionsOf({ id, depth, path, from }: FetchedNode): BlockOptions {
    const level = depth - topDepth
    const isFileKnown = from !== undefined || (level > 0 && paths[level - 1] === path)
    const hasSnapshot = id === anchor || (isFirst && !hasAnchor)
    const facts = [hasSnapshot ? snapshotFact(snapshotId) : '', from === undefined ? '' : `from=${from}`]
    return {
      level,
      file: isFileKnown ? undefined : path,
      facts: facts.filter(Boolean).join(' '),
      isPlace: isAbove && id !== anchor,
      paint,
    }
  }
  /** An earlier page had its label. */
  const shownAs = (node: FetchedNode): FetchedNode =>
    node.from === undefined ? node : { ...node, label: '' }
  const peek = (node: FetchedNode): string => nodeBlock(shownAs(node), optionsOf(node))

  return {
    optionsOf,
    shownAs,
    /** The block that a node would have next. */
    peek,
    push(node: FetchedNode): string {
      const block = peek(node)
      const level = node.depth - topDepth
      // A page may begin in the middle of a file: the ancestors of its first node are in the same one.
      for (let above = paths.length; above < level; above++) paths[above] = node.path
      paths[level] = node.path
      if (node.id === anchor) isAbove = false
      isFirst = false
      return block
    },
  }
}

/** Once per answer, so that a write based on it can name the snapshot. */
export function snapshotFact(snapshotId: number): string {
  return `snapshot=${snapshotId}`
}

/** Empty if nothing was left out. */
export function leftOutLine({ above, below, tokens, isMore, next }: LeftOut): string {
  if (above + below === 0) return ''
  const plus = isMore ? '+' : ''
  const parts = [above > 0 ? `${above} more above` : '', below > 0 ? `${below}${plus} more below` : '']
  const where = next === null ? '' : `, next id=${next}`
  return `… ${parts.filter(Boolean).join(', ')} (${tokenWords(tokens, isMore)})${where}`
}

function tokenWords(tokens: number, isMore: boolean): string {
  return isMore ? `${tokens}+ tokens` : plural(tokens, 'token')
}

type PageRest = Pick<LeftOut, 'above' | 'below' | 'tokens'> &
  Pick<FetchPageEnd, 'next' | 'deeper'> & {
    /** The topmost node shown. */
    top: string
  }

/** How to continue after a page: upwards from its topmost node, deeper and further; empty if nothing was left out. */
export function pageLine({ above, below, tokens, top, next, deeper }: PageRest): string {
  const isMore = below >= MAX_COUNT
  const how = deeper === null ? '' : `: depth=${deeper}`
  const parts = [
    above > 0 ? `${above} more above: id=${top}` : '',
    below > 0 ? `${below}${isMore ? '+' : ''} more below (${tokenWords(tokens, isMore)})${how}` : '',
    next === null ? '' : `more: after=${next}`,
  ]
  const said = parts.filter(Boolean).join('; ')
  return said === '' ? '' : `… ${said}`
}
