import type { NodeType } from '../model.ts'

/** A node of a document, in the order of its text. */
export interface ToldNode {
  key: number
  type: NodeType
  text: string
}

interface Span {
  start: number
  end: number
}

/**
 * A document's text with other words for some of its nodes; null takes a node's words away. Undefined where that cannot be
 * done: a node says what its text means, and not always in the words of the text (a table, for one).
 */
export function splice(
  text: string,
  nodes: readonly ToldNode[],
  edits: ReadonlyMap<number, string | null>,
): string | undefined {
  const only = nodes.length === 1 ? nodes[0] : undefined
  const spans = findSpans(text, nodes)
  let result = ''
  let at = 0
  for (const node of nodes) {
    const edit = edits.get(node.key)
    if (edit === undefined) continue
    const span = spans.get(node.key)
    if (!span) return only ? (edit ?? '') : undefined
    const { start, end } = edit === null ? wholeBlock(text, span, node.type) : span
    result += text.slice(at, Math.max(at, start)) + (edit ?? '')
    at = Math.max(at, end)
  }
  return result + text.slice(at)
}

/** Where each node's words are, one after the other; one whose words are not there has no place. */
function findSpans(text: string, nodes: readonly ToldNode[]): Map<number, Span> {
  const spans = new Map<number, Span>()
  let from = 0
  for (const node of nodes) {
    const start = node.text === '' ? -1 : text.indexOf(node.text, from)
    if (start < 0) continue
    from = start + node.text.length
    spans.set(node.key, { start, end: from })
  }
  return spans
}

/** With the marks around it (`## `, fences) and the empty lines behind it. */
function wholeBlock(text: string, { start, end }: Span, type: NodeType): Span {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1
  let blockEnd = endOfLine(text, end)
  if (type === 'code' && /^\s*(```|~~~)/.test(text.slice(blockEnd))) blockEnd = endOfLine(text, blockEnd + 1)
  while (text[blockEnd] === '\n' || text[blockEnd] === '\r') blockEnd++
  return { start: lineStart, end: blockEnd }
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end < 0 ? text.length : end
}
