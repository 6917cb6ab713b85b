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
 * A document's text with other words for some of its nodes; null takes a node's words away. A node does not always say its text
 * in the words of the text (emphasis goes, a table is rewritten): then its place is what is between its neighbours. Undefined
 * where that cannot be told. Who gets it must look whether the other nodes still say the same.
 */
export function splice(
  text: string,
  nodes: readonly ToldNode[],
  edits: ReadonlyMap<number, string | null>,
): string | undefined {
  const spans = findSpans(text, nodes)
  let result = ''
  let at = 0
  for (const [place, node] of nodes.entries()) {
    const edit = edits.get(node.key)
    if (edit === undefined) continue
    const found = spans[place] ?? between(text, nodes, spans, place)
    if (!found) return undefined
    const { start, end } = edit === null ? wholeBlock(text, found, node.type) : found
    result += text.slice(at, Math.max(at, start)) + (edit ?? '')
    at = Math.max(at, end)
  }
  return result + text.slice(at)
}

/** Where each node's words are, one after the other; one whose words are not there has no place. */
function findSpans(text: string, nodes: readonly ToldNode[]): (Span | undefined)[] {
  let from = 0
  return nodes.map((node) => {
    const start = node.text === '' ? -1 : text.indexOf(node.text, from)
    if (start < 0) return undefined
    from = start + node.text.length
    return { start, end: from }
  })
}

/** The lines between the neighbours of a node, where it is alone between them. */
function between(
  text: string,
  nodes: readonly ToldNode[],
  spans: readonly (Span | undefined)[],
  place: number,
): Span | undefined {
  const before = place === 0 ? undefined : spans[place - 1]
  const after = place === nodes.length - 1 ? undefined : spans[place + 1]
  const isAlone = (place === 0 || before) && (place === nodes.length - 1 || after)
  if (!isAlone) return undefined
  const from = before ? endOfBlock(text, before.end, nodes[place - 1]?.type) : 0
  const to = after ? text.lastIndexOf('\n', after.start) + 1 : text.length
  const gap = text.slice(from, to)
  const start = from + gap.length - gap.trimStart().length
  const end = start + gap.trim().length
  return end > start ? { start, end } : undefined
}

/** With the marks around it (`## `, fences) and the empty lines behind it. */
function wholeBlock(text: string, { start, end }: Span, type: NodeType): Span {
  let blockEnd = endOfBlock(text, end, type)
  while (text[blockEnd] === '\n' || text[blockEnd] === '\r') blockEnd++
  return { start: text.lastIndexOf('\n', start - 1) + 1, end: blockEnd }
}

/** The end of the last line of a node, the closing fence of code included. */
function endOfBlock(text: string, from: number, type: NodeType | undefined): number {
  const end = endOfLine(text, from)
  const isFenced = type === 'code' && /^\s*(```|~~~)/.test(text.slice(end))
  return isFenced ? endOfLine(text, end + 1) : end
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end < 0 ? text.length : end
}
