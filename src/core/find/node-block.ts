import { escapeAnswerLines } from '../answer-lines.ts'
import { labelOf } from '../label.ts'
import { estimateTokens, utf8Length } from '../tokens.ts'
import { type LineNode, type LineOptions, nodeLine } from './node-line.ts'

/** A node with its text, or with the beginning of it. */
export interface TextNode extends LineNode {
  text: string
  /** How many tokens are missing at the end of the text. */
  cut?: number
  /** Not even a whole line fitted. */
  brief?: boolean
}

/** Between two nodes, and before the lines about the whole answer. */
export const GAP = '\n\n'

/** A shorter piece of a text is not useful. */
const MIN_CUT = 16

export type BlockOptions = Omit<LineOptions, 'cut' | 'brief'>

/** The line of a node, with its text below unless the line contains it. */
export function nodeBlock(node: TextNode, options: BlockOptions = {}): string {
  const line = lineOf(node, options)
  const body = isItsLabel(node) || node.brief ? '' : bodyOf(node.text, node.cut)
  return body === '' ? line : `${line}\n${body}`
}

/** The node with as much of its text as fits into a block of `maxBytes`. Undefined if almost nothing would be left. */
export function cutNode<T extends TextNode>(
  node: T,
  maxBytes: number,
  options: BlockOptions = {},
): T | undefined {
  if (isItsLabel(node)) return undefined
  const lineBytes = utf8Length(lineOf({ ...node, cut: node.tokens }, options))
  const text = node.text.slice(0, endWithin(node.text, maxBytes - lineBytes - 1))
  if (text.length < Math.min(MIN_CUT, node.text.length)) return undefined
  return { ...node, text, cut: Math.max(1, node.tokens - estimateTokens(text)) }
}

function lineOf(node: TextNode, options: BlockOptions): string {
  const { cut, brief } = node
  const isInText = !brief && !isItsLabel(node) && showsLabel(node)
  return nodeLine(isInText ? { ...node, label: '' } : node, { ...options, cut, brief })
}

function bodyOf(text: string, cut: number | undefined): string {
  return `${escapeAnswerLines(text)}${cut ? '…' : ''}`
}

function isItsLabel({ type, text, label }: TextNode): boolean {
  return type === 'heading' && text === label
}

/** Whether the text already shows the label: a label derived from the text, or that begins it. */
function showsLabel({ type, text, label, cut }: TextNode): boolean {
  const start = label.endsWith('...') ? label.slice(0, -3) : label
  if (text.startsWith(start)) return true
  if (!cut && label === labelOf({ type, format: 'plain', text })) return true
  const begin = text.slice(0, 4 * start.length + 16).replace(/[\s\p{Cc}]+/gu, ' ')
  const line = begin.trim()
  return line.startsWith(start) || (cut !== undefined && start.startsWith(line))
}

/** The end of the longest beginning that fits into `maxBytes`: between code points, and between words if possible. */
function endWithin(text: string, maxBytes: number): number {
  let low = 0
  let high = Math.min(text.length, Math.max(0, maxBytes))
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (utf8Length(bodyOf(text.slice(0, middle).toWellFormed(), 1)) <= maxBytes) low = middle
    else high = middle - 1
  }
  if (low === text.length) return low
  const wholePoint = low > 0 && /[\ud800-\udbff]/.test(text[low - 1] as string) ? low - 1 : low
  const word = text.slice(0, wholePoint + 1).search(/\s\S*$/)
  return word > wholePoint / 2 ? word : wholePoint
}
