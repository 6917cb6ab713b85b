import { printable } from '../../../util/text/printable.ts'
import { utf8Length } from '../../tokens.ts'
import { fitting, mostBytes } from '../fit.ts'
import { nodeLine, nothingLine } from '../node-line.ts'
import { type Paint, PLAIN } from '../paint.ts'
import type { RelatedAnswer, RelatedNode, RelatedStep } from './related-model.ts'

type Answer = Pick<RelatedAnswer, 'related' | 'leftOut' | 'next' | 'pastEnd' | 'isComplete'>

/** One line per node, best first, with the path below unless it is direct; then what is missing. No final line feed. */
export function relatedText(answer: Answer, paint: Paint = PLAIN): string {
  return relatedLines(answer, paint).join('\n')
}

function relatedLines({ related, leftOut, next, pastEnd, isComplete }: Answer, paint: Paint): string[] {
  const isEmpty = related.length + leftOut === 0
  return [
    ...(isEmpty
      ? [nothingLine('no related nodes', pastEnd)]
      : related.flatMap((node) => nodeLines(node, paint))),
    ...endLines({ leftOut, next, isComplete }).map(paint.dim),
  ]
}

/** As many nodes, best first, as fit into `room` bytes with the line about the rest; at least one. */
export function fitRelated<T extends Answer>(answer: T, room: number, offset = 0): T {
  const { related, leftOut, isComplete } = answer
  const most = related.reduce((sum, node) => sum + mostBytesOf(node), mostBytes([], 2))
  if (most <= room) return answer
  const leaving = (kept: number): Pick<Answer, 'leftOut' | 'next'> => ({
    leftOut: leftOut + related.length - kept,
    next: kept < related.length ? offset + kept : answer.next,
  })
  const kept = fitting(blocksOf(related), room, (count) =>
    utf8Length(endLines({ ...leaving(count), isComplete }).join('\n')),
  )
  const [best] = related
  if (kept === 0 && best) return { ...answer, related: [{ ...best, brief: true }], ...leaving(1) }
  return { ...answer, related: related.slice(0, kept), ...leaving(kept) }
}

/** An upper bound for the size of a node, without formatting it: if there is plenty of room. */
function mostBytesOf({ label, path, via }: RelatedNode): number {
  return mostBytes([label, path, ...via.map((step) => step.label)], 2)
}

function* blocksOf(related: readonly RelatedNode[]): Generator<string> {
  for (const node of related) yield nodeLines(node, PLAIN).join('\n')
}

function nodeLines(node: RelatedNode, paint: Paint): string[] {
  const { path, hop, weight, via, brief } = node
  if (brief) return [nodeLine(node, { brief, paint })]
  const line = nodeLine(node, { file: path, facts: `hop=${hop} weight=${weight.toFixed(2)}`, paint })
  return hop === 1 ? [line] : [line, `  ${paint.dim('via')} ${wayOver(via)}`]
}

/**
 * `→ Deploy guide ←`: from the anchor, on the left, to the node, on the right. Arrows point in the direction of the
 * links.
 */
function wayOver(via: readonly RelatedStep[]): string {
  let way = ''
  for (const [at, { direction }] of via.entries()) {
    const before = via[at - 1]
    way += `${before ? ` ${printable(before.label)} ` : ''}${direction === 'out' ? '→' : '←'}`
  }
  return way
}

function endLines({ leftOut, next, isComplete }: Omit<Answer, 'related'>): string[] {
  return [
    ...(leftOut > 0
      ? [`… ${leftOut} more left out${next === null ? '; raise budget or limit' : `: offset=${next}`}`]
      : []),
    ...(isComplete ? [] : ['… not every link was looked at: there are too many']),
  ]
}
