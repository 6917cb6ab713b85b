import type { NodeType } from '../model.ts'

/** A node of a document, in the order of its text. */
export interface DocumentNode {
  key: number
  type: NodeType
  text: string
}

interface Span {
  start: number
  end: number
}

/** The place of each node's text; undefined if it is not found. */
type Spans = readonly (Span | undefined)[]

/**
 * Candidates for a document's text after edits of some nodes; null removes a node. A node's text may differ from the
 * document's (emphasis is removed, a table is rewritten): then its place is between its neighbours. Its text may also
 * occur elsewhere. So these are guesses, likeliest first; the caller must verify each (`matchesEdits`).
 */
export function* splices(
  text: string,
  nodes: readonly DocumentNode[],
  edits: ReadonlyMap<number, string | null>,
): Generator<string> {
  for (const spans of [spansFromStart(text, nodes), spansFromEnd(text, nodes)]) {
    for (const takeAway of [wholeBlock, ownWords]) {
      const candidate = splice(text, nodes, { edits, spans, takeAway })
      if (candidate !== undefined) yield candidate
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
  nodes: readonly DocumentNode[],
  { edits, spans, takeAway }: Splicing,
): string | undefined {
  let result = ''
  let at = 0
  for (const [place, node] of nodes.entries()) {
    const edit = edits.get(node.key)
    if (edit === undefined) continue
    const found = spans[place] ?? between(text, nodes, spans, place)
    if (!found) return undefined
    // Already removed with the previous block: finding its line ends again, for each of many, would be slow.
    if (edit === null && found.end <= at) continue
    const { start, end } = edit === null ? takeAway(text, found, node.type) : found
    result += text.slice(at, Math.max(at, start)) + (edit ?? '')
    at = Math.max(at, end)
  }
  return result + text.slice(at)
}

/** Characters scanned for texts that are not found: many such nodes in a long text would be slow. */
const MAX_SCANNED = 256 * 1024 * 1024

/** Each after the previous one. */
function spansFromStart(text: string, nodes: readonly DocumentNode[]): Spans {
  let from = 0
  let scanned = 0
  return nodes.map(({ text: words }) => {
    const start = words === '' || scanned > MAX_SCANNED ? -1 : text.indexOf(words, from)
    if (start < 0) scanned += text.length - from
    if (start < 0) return undefined
    from = start + words.length
    return { start, end: from }
  })
}

function spansFromEnd(text: string, nodes: readonly DocumentNode[]): Spans {
  let until = text.length
  let scanned = 0
  const backwards = nodes.toReversed().map(({ text: words }) => {
    const isRoom = words !== '' && words.length <= until && scanned <= MAX_SCANNED
    const start = isRoom ? text.lastIndexOf(words, until - words.length) : -1
    if (start < 0) scanned += until
    if (start < 0) return undefined
    until = start
    return { start, end: start + words.length }
  })
  return backwards.reverse()
}

/** The lines between the neighbours of a node, if it is the only one between them. */
function between(
  text: string,
  nodes: readonly DocumentNode[],
  spans: Spans,
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

/** Including its marks (`## `, fences) and the empty lines after it. */
function wholeBlock(text: string, { start, end }: Span, type: NodeType): Span {
  let blockEnd = endOfBlock(text, end, type)
  while (text[blockEnd] === '\n' || text[blockEnd] === '\r') blockEnd++
  return { start: startOfBlock(text, start, type), end: blockEnd }
}

function ownWords(_text: string, span: Span): Span {
  return span
}

/** The start of the first line of a node. A fence without a language is on the line before its text. */
function startOfBlock(text: string, from: number, type: NodeType): number {
  const start = startOfLine(text, from)
  const before = startOfLine(text, start - 1)
  const isBare = type === 'code' && start === from && /^\s*(```|~~~)\s*\n/.test(text.slice(before, start))
  return isBare ? before : start
}

function startOfLine(text: string, at: number): number {
  return at <= 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1
}

/** The end of the last line of a node, including the closing fence of code. */
function endOfBlock(text: string, from: number, type: NodeType | undefined): number {
  const end = endOfLine(text, from)
  const isFenced = type === 'code' && /^\s*(```|~~~)/.test(text.slice(end))
  return isFenced ? endOfLine(text, end + 1) : end
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end < 0 ? text.length : end
}
