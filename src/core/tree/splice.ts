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

/** Where the words of each node are; one whose words are not there has no place. */
type Spans = readonly (Span | undefined)[]

/**
 * A document's text with other words for some of its nodes; null takes a node's words away. A node does not always say its text
 * in the words of the text (emphasis goes, a table is rewritten): then its place is what is between its neighbours. And its words
 * can stand somewhere else too. So these are guesses, the likeliest first; who takes one must look whether it says what it should
 * (`saysSo`).
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
  for (const [place, node] of nodes.entries()) {
    const edit = edits.get(node.key)
    if (edit === undefined) continue
    const found = spans[place] ?? between(text, nodes, spans, place)
    if (!found) return undefined
    // It went with the block before: to look for the ends of its line again, for each of many, would take very long.
    if (edit === null && found.end <= at) continue
    const { start, end } = edit === null ? takeAway(text, found, node.type) : found
    result += text.slice(at, Math.max(at, start)) + (edit ?? '')
    at = Math.max(at, end)
  }
  return result + text.slice(at)
}

/** Characters that are looked at for words that are not there: many such nodes in a long text would take very long. */
const MAX_IN_VAIN = 256 * 1024 * 1024

/** One after the other. */
function spansFromStart(text: string, nodes: readonly ToldNode[]): Spans {
  let from = 0
  let inVain = 0
  return nodes.map(({ text: words }) => {
    const start = words === '' || inVain > MAX_IN_VAIN ? -1 : text.indexOf(words, from)
    if (start < 0) inVain += text.length - from
    if (start < 0) return undefined
    from = start + words.length
    return { start, end: from }
  })
}

function spansFromEnd(text: string, nodes: readonly ToldNode[]): Spans {
  let until = text.length
  let inVain = 0
  const backwards = nodes.toReversed().map(({ text: words }) => {
    const isRoom = words !== '' && words.length <= until && inVain <= MAX_IN_VAIN
    const start = isRoom ? text.lastIndexOf(words, until - words.length) : -1
    if (start < 0) inVain += until
    if (start < 0) return undefined
    until = start
    return { start, end: start + words.length }
  })
  return backwards.reverse()
}

/** The lines between the neighbours of a node, where it is alone between them. */
function between(text: string, nodes: readonly ToldNode[], spans: Spans, place: number): Span | undefined {
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
  return { start: startOfBlock(text, start, type), end: blockEnd }
}

function ownWords(_text: string, span: Span): Span {
  return span
}

/** The start of the first line of a node. A fence that names no language is on the line before its words. */
function startOfBlock(text: string, from: number, type: NodeType): number {
  const start = startOfLine(text, from)
  const before = startOfLine(text, start - 1)
  const isBare = type === 'code' && start === from && /^\s*(```|~~~)\s*\n/.test(text.slice(before, start))
  return isBare ? before : start
}

function startOfLine(text: string, at: number): number {
  return at <= 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1
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
