import { codeLabel, labelOf } from '../../core/label.ts'
import { redactLink } from '../../core/link.ts'
import { fileLink } from '../../core/link-file.ts'
import type { Block, Link } from '../../core/model.ts'
import { utf8Length } from '../../core/tokens.ts'
import type { ParseOptions } from './parse-options.ts'
import { splitText } from './split-text.ts'
import { compressWhitespace } from './whitespace.ts'

const SHOWN = /\[\[([^[\]\n]*)\]\]|\]\(<?([^)>\s]+)/g

/** A header is repeated on every piece only if it leaves this part of a piece for the rest. */
const MIN_ROOM = 0.5
/** The longest code point in UTF-8: with less room a text cannot be cut at all. */
const MIN_BYTES = 4

/**
 * The same blocks with white space compressed and secrets removed, and with every text of more than `maxNodeTokens`
 * tokens cut into siblings, in order. The first piece keeps the children; the rest of a heading becomes its first
 * text children. Every link goes to the piece that shows it.
 */
export function splitBlocks(blocks: readonly Block[], options: ParseOptions): Block[] {
  const result: Block[] = []
  for (const block of blocks) for (const piece of splitBlock(block, options)) result.push(piece)
  return result
}

function splitBlock(block: Block, options: ParseOptions): Block[] {
  const text = cleanText(block.text, options)
  const children = splitBlocks(block.children, options)
  const maxBytes = bytesOf(options.maxNodeTokens)
  if (fits(text, maxBytes)) return [{ ...block, text, children }]
  const { links = [], ...unlinked } = block
  const shown = links.map((link) => redactLink(link, options.redact))
  const texts = piecesOf(block.type, text, maxBytes)
  const pieces = texts.map((piece, i): Block => {
    if (i > 0 && block.type === 'heading') return textBlock(piece)
    return { ...unlinked, text: piece, children: [] }
  })
  shareLinks(pieces, shown)
  const [first = { ...block, text: '', children }, ...rest] = pieces
  if (block.type === 'heading') return [{ ...first, children: [...rest, ...children] }]
  return [{ ...first, children }, ...rest]
}

/** Redacted before it is cut: half a secret would not be known for one. */
function cleanText(text: string, { redact }: ParseOptions): string {
  return compressWhitespace(redact(compressWhitespace(text)))
}

function piecesOf(type: Block['type'], text: string, maxBytes: number): string[] {
  if (type === 'list') return packUnits(text.split(/\n(?=-(?: |\n|$))/), maxBytes)
  if (type === 'table') return splitTable(text, maxBytes)
  return splitText(text, maxBytes)
}

/** The code blocks for one piece of code; its info string, if any, is the first line of each. */
export function codeBlocks(code: { info: string; body: string }, options: ParseOptions): Block[] {
  const body = cleanText(code.body, options)
  const info = options.redact(code.info)
  if (body.trim() === '') return []
  const maxBytes = bytesOf(options.maxNodeTokens)
  const room = roomBelow(info, maxBytes)
  if (info === '') return splitText(body, maxBytes).map((piece) => codeBlock(piece, false))
  if (room === null) {
    return splitText(`${info}\n${body}`, maxBytes).map((piece, i) => codeBlock(piece, i === 0))
  }
  return splitText(body, room).map((piece) => codeBlock(`${info}\n${piece}`, true))
}

/** Without an info string the first line is code, even if it looks like the name of a language. */
function codeBlock(text: string, hasInfo: boolean): Block {
  const block: Block = { type: 'code', format: 'plain', text, children: [] }
  if (!hasInfo && labelOf(block) !== codeLabel(text)) block.label = codeLabel(text)
  return block
}

function splitTable(text: string, maxBytes: number): string[] {
  const [header = '', ...rows] = text.split('\n')
  const room = roomBelow(header, maxBytes)
  if (room === null) return splitText(text, maxBytes)
  return packUnits(rows, room).map((piece) => `${header}\n${piece}`)
}

/** As many whole units a piece as fit; a unit that does not fit on its own is split as text. */
function packUnits(units: readonly string[], maxBytes: number): string[] {
  const pieces: string[] = []
  let open: string[] = []
  let bytes = 0
  const close = () => {
    for (const piece of splitText(open.join('\n'), maxBytes)) pieces.push(piece)
    open = []
    bytes = 0
  }
  for (const unit of units) {
    const size = utf8Length(unit) + 1
    if (bytes + size > maxBytes + 1) close()
    open.push(unit)
    bytes += size
  }
  close()
  return pieces
}

/** Null when the header takes too much to be repeated. */
export function roomBelow(header: string, maxBytes: number): number | null {
  const room = maxBytes - utf8Length(header) - 1
  return room < Math.max(MIN_BYTES, maxBytes * MIN_ROOM) ? null : room
}

export function bytesOf(maxNodeTokens: number): number {
  return Math.max(MIN_BYTES, Math.floor(maxNodeTokens) * 4)
}

/** Most texts are so short that their bytes need no counting. */
function fits(text: string, maxBytes: number): boolean {
  return text.length * 3 <= maxBytes || utf8Length(text) <= maxBytes
}

function textBlock(text: string): Block {
  return { type: 'text', format: 'plain', text, children: [] }
}

/** Gives each link to the piece that shows it, in order; to the first piece when none does. */
function shareLinks(pieces: readonly Block[], links: readonly Link[]): void {
  const [first] = pieces
  if (!first || links.length === 0) return
  const places = placesOf(pieces)
  for (const link of links) {
    const piece = places.get(link.label)?.next().value ?? first
    piece.links ??= []
    piece.links.push(link)
  }
}

/** The pieces by the labels they show, once for each time they do. */
function placesOf(pieces: readonly Block[]): Map<string, Iterator<Block, undefined>> {
  const places = new Map<string, Block[]>()
  for (const piece of pieces) {
    for (const [, name, destination = ''] of piece.text.matchAll(SHOWN)) {
      const label = name ?? fileLink(destination)?.label ?? ''
      const shown = places.get(label)
      if (shown) shown.push(piece)
      else places.set(label, [piece])
    }
  }
  return new Map([...places].map(([label, shown]) => [label, shown.values()]))
}
