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

/** Where the words of nodes are, by key. */
type Spans = Map<number, Span>

/**
 * A document's text with other words for some of its nodes; null takes a node's words away. A node says what its text means, and
 * not always in the words of the text (a table, for one), and its words can stand somewhere else too: so these are guesses, the
 * likeliest first, and whoever takes one looks first whether it says what it should.
 */
export function* splices(
  text: string,
  nodes: readonly ToldNode[],
  edits: ReadonlyMap<number, string | null>,
): Generator<string> {
  for (const spans of [spansFromStart(text, nodes), spansFromEnd(text, nodes)]) {
    for (const takeAway of [wholeBlock, ownWords]) {
      const told = splice(text, nodes, { edits, spans, takeAway })
      if (told !== undefined) yield told
    }
  }
}

interface Splicing {
  edits: ReadonlyMap<number, string | null>
  spans: Spans
  takeAway: typeof wholeBlock
}

function splice(
  text: string,
  nodes: readonly ToldNode[],
  { edits, spans, takeAway }: Splicing,
): string | undefined {
  let result = ''
  let at = 0
  for (const node of nodes) {
    const edit = edits.get(node.key)
    if (edit === undefined) continue
    const span = spans.get(node.key)
    if (!span) return nodes.length === 1 ? (edit ?? '') : undefined
    const { start, end } = edit === null ? takeAway(text, span, node.type) : span
    result += text.slice(at, Math.max(at, start)) + (edit ?? '')
    at = Math.max(at, end)
  }
  return result + text.slice(at)
}

/** One after the other; a node whose words are not there has no place. */
function spansFromStart(text: string, nodes: readonly ToldNode[]): Spans {
  const spans: Spans = new Map()
  let from = 0
  for (const { key, text: words } of nodes) {
    const start = words === '' ? -1 : text.indexOf(words, from)
    if (start < 0) continue
    from = start + words.length
    spans.set(key, { start, end: from })
  }
  return spans
}

function spansFromEnd(text: string, nodes: readonly ToldNode[]): Spans {
  const spans: Spans = new Map()
  let until = text.length
  for (const { key, text: words } of nodes.toReversed()) {
    const start = words === '' || words.length > until ? -1 : text.lastIndexOf(words, until - words.length)
    if (start < 0) continue
    until = start
    spans.set(key, { start, end: start + words.length })
  }
  return spans
}

/** With the marks around it (`## `, fences) and the empty lines behind it. */
function wholeBlock(text: string, { start, end }: Span, type: NodeType): Span {
  let blockStart = startOfLine(text, start)
  let blockEnd = endOfLine(text, end)
  if (type === 'code' && isFence(text.slice(blockEnd + 1))) {
    blockEnd = endOfLine(text, blockEnd + 1)
    // The fence in front names the language, and then it is among the words.
    const before = startOfLine(text, blockStart - 1)
    if (!isFence(text.slice(blockStart)) && isFence(text.slice(before))) blockStart = before
  }
  while (text[blockEnd] === '\n' || text[blockEnd] === '\r') blockEnd++
  return { start: blockStart, end: blockEnd }
}

function ownWords(_text: string, span: Span): Span {
  return span
}

function isFence(text: string): boolean {
  return /^ {0,3}(```|~~~)/.test(text)
}

function startOfLine(text: string, at: number): number {
  return at <= 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end < 0 ? text.length : end
}
