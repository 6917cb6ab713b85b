import { plural } from '../../util/terminal-units.ts'
import type { FetchAnswer, LeftOut } from './fetch-model.ts'
import { GAP, nodeBlock } from './node-block.ts'
import { type Paint, PLAIN } from './paint.ts'

/** An answer of `fetch` as one reads it; see `docs/reading.md`. Without a line feed at its end. */
export function fetchText(answer: FetchAnswer, paint: Paint = PLAIN): string {
  const { anchor, nodes, leftOut, snapshotId } = answer
  const top = nodes[0]?.depth ?? 0
  /** Of the last node seen at each depth: the parent of a node is the last one above it. */
  const paths: string[] = []
  const anchorAt = nodes.findIndex(({ id }) => id === anchor)
  const blocks = nodes.map((node, at) => {
    const level = node.depth - top
    const file = level > 0 && paths[level - 1] === node.path ? undefined : node.path
    paths[level] = node.path
    const facts = at === anchorAt ? snapshotFact(snapshotId) : undefined
    return nodeBlock(node, { level, file, facts, isPlace: at < anchorAt, paint })
  })
  const line = leftOutLine(leftOut)
  return [...blocks, ...(line === '' ? [] : [paint.dim(line)])].join(GAP)
}

/** Said once in an answer: whoever writes on the strength of it can say what it has seen. */
export function snapshotFact(snapshotId: number): string {
  return `snapshot=${snapshotId}`
}

/** Empty where nothing was left out. */
export function leftOutLine({ above, below, tokens, isMore, next }: LeftOut): string {
  if (above + below === 0) return ''
  const plus = isMore ? '+' : ''
  const parts = [above > 0 ? `${above} more above` : '', below > 0 ? `${below}${plus} more below` : '']
  const where = next === null ? '' : `, next id=${next}`
  return `… ${parts.filter(Boolean).join(', ')} (${isMore ? `${tokens}+ tokens` : plural(tokens, 'token')})${where}`
}
