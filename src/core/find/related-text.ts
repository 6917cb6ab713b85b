import { printable } from '../../util/terminal-text.ts'
import { utf8Length } from '../tokens.ts'
import { fitting } from './fit.ts'
import { nodeLine } from './node-line.ts'
import { type Paint, PLAIN } from './paint.ts'
import type { RelatedAnswer, RelatedNode, RelatedStep } from './related-model.ts'

type Answer = Pick<RelatedAnswer, 'related' | 'leftOut' | 'isComplete'>

/** A line a node, best first, below it the way there where it is not direct; then what is missing. No line feed at the end. */
export function relatedText(answer: Answer, paint: Paint = PLAIN): string {
  return relatedLines(answer, paint).join('\n')
}

function relatedLines({ related, leftOut, isComplete }: Answer, paint: Paint): string[] {
  const isEmpty = related.length + leftOut === 0
  return [
    ...(isEmpty ? ['no related nodes'] : related.flatMap((node) => nodeLines(node, paint))),
    ...endLines({ leftOut, isComplete }).map(paint.dim),
  ]
}

/** As many nodes, best first, as fit with what is said of the others into `room` bytes. */
export function fitRelated<T extends Answer>(answer: T, room: number): T {
  const { related, leftOut, isComplete } = answer
  const leaving = (kept: number): number => leftOut + related.length - kept
  const blocks = related.map((node) => nodeLines(node, PLAIN).join('\n'))
  const kept = fitting(blocks, room, (count) =>
    utf8Length(endLines({ leftOut: leaving(count), isComplete }).join('\n')),
  )
  return { ...answer, related: related.slice(0, kept), leftOut: leaving(kept) }
}

function nodeLines(node: RelatedNode, paint: Paint): string[] {
  const { path, hop, weight, via } = node
  const line = nodeLine(node, { file: path, facts: `hop=${hop} weight=${weight.toFixed(2)}`, paint })
  return hop === 1 ? [line] : [line, `  ${paint.dim('via')} ${wayOver(via)}`]
}

/** `→ Deploy guide ←`: from the anchor, on the left, to the node, on the right. Arrows point as the links do. */
function wayOver(via: readonly RelatedStep[]): string {
  const arrows = via.map(({ direction }) => (direction === 'out' ? '→' : '←'))
  const between = via.slice(0, -1).map(({ label }) => printable(label))
  return [arrows[0], ...between.flatMap((label, at) => [label, arrows[at + 1]])].join(' ')
}

function endLines({ leftOut, isComplete }: Pick<Answer, 'leftOut' | 'isComplete'>): string[] {
  return [
    ...(leftOut > 0 ? [`… ${leftOut} more left out; raise budget or limit`] : []),
    ...(isComplete ? [] : ['… not every link was looked at: there are too many']),
  ]
}
