import { plural } from '../util/text/units.ts'
import type { Block } from './model.ts'
import { utf8End, utf8Length } from './tokens.ts'

const MAX_BYTES = 80
const ELLIPSIS = '...'

/** A label is shown in one-line listings, so every run of white space and control characters is one space. */
const WORD = /[^\s\p{Cc}]+/gu

/** One line of at most 80 UTF-8 bytes; a longer text is cut at a code point and ends in `...`. */
export function truncateLabel(text: string): string {
  const line = firstWords(text)
  if (utf8Length(line) <= MAX_BYTES) return line
  return line.slice(0, utf8End(line, 0, MAX_BYTES - ELLIPSIS.length)) + ELLIPSIS
}

/** The label of a node that was given none. Empty only if the text is. */
export function labelOf(node: Pick<Block, 'type' | 'format' | 'text'>): string {
  return truncateLabel(fullLabel(node))
}

/** The label of code whose text has no language line. */
export function codeLabel(code: string): string {
  return truncateLabel(`Code: ${firstLineOf(code)}`)
}

export function preambleLabel(keys: readonly string[]): string {
  return truncateLabel(keys.length === 0 ? 'Preamble' : `Preamble: ${keys.join(', ')}`)
}

export function mapLabel(keys: readonly string[]): string {
  return truncateLabel(keys.slice(0, 3).join(', '))
}

function fullLabel({ type, format, text }: Pick<Block, 'type' | 'format' | 'text'>): string {
  switch (type) {
    case 'heading':
      return text
    case 'text':
      return firstSentence(text)
    case 'list':
      return format === 'toon' ? beforeColon(text) : listLabel(text)
    case 'table':
      return tableLabel(text)
    case 'code':
      return format === 'plain' ? codeLabelWithLanguage(text) : codeLabel(text)
    case 'kv':
      return mapLabel(topLevelKeys(text)) || text
    case 'preamble':
      return preambleLabel(topLevelKeys(text))
    case 'embed':
      return embedLabel(format, text)
  }
}

/** Stops once there is more than a label can hold: the label of a long text is cheap. */
function firstWords(text: string): string {
  let line = ''
  for (const [word] of text.matchAll(WORD)) {
    // A slice may end in half a surrogate pair: it is then longer than a label, and that end is cut off.
    line += (line === '' ? '' : ' ') + word.slice(0, MAX_BYTES + 1)
    if (line.length > MAX_BYTES) break
  }
  return line.toWellFormed()
}

function firstSentence(text: string): string {
  const end = text.search(/[.!?](?=\s|$)/)
  return end < 0 ? text : text.slice(0, end + 1)
}

function beforeColon(text: string): string {
  const colon = text.indexOf(':')
  return colon < 0 ? text : text.slice(0, colon)
}

function listLabel(text: string): string {
  let count = 0
  let first: string | undefined
  for (const [start, end] of lineRanges(text)) {
    if (!isTopLevelItem(text, start, end)) continue
    count++
    // An item that holds a map is a bare `-`; its text is on the following lines.
    first ??= text.slice(start + 1, end).trim() || firstLineOf(text.slice(end).trimStart())
  }
  return first === undefined ? text : `${count}-item list: ${first}`
}

/** Nested items are indented, so only a dash in the first column counts. */
function isTopLevelItem(text: string, start: number, end: number): boolean {
  return text[start] === '-' && (end === start + 1 || text[start + 1] === ' ')
}

function tableLabel(text: string): string {
  const cells = firstLineOf(text)
    .split('\t')
    .filter((cell) => cell.trim() !== '')
  const rows = text.split('\n').length - 1
  return `Table: ${cells.join(', ')} (${plural(rows, 'row')})`
}

/** The language is a convention of the text: a first line without spaces, followed by another line. */
function codeLabelWithLanguage(text: string): string {
  const language = firstLineOf(text)
  const isLanguage = language !== '' && !language.includes(' ') && utf8Length(language) < MAX_BYTES
  if (!isLanguage || language.length === text.length) return codeLabel(text)
  return `Code (${language}): ${firstLineOf(text.slice(language.length + 1))}`
}

/** Keys of a rendered map: the text before `: ` or a final `:` on lines that are neither indented nor items. */
function topLevelKeys(text: string): string[] {
  const keys: string[] = []
  for (const [start, end] of lineRanges(text)) {
    if (text[start] === ' ' || text[start] === '\t' || isTopLevelItem(text, start, end)) continue
    const line = text.slice(start, end)
    const colon = line.search(/:(?= |$)/)
    if (colon > 0) keys.push(line.slice(0, colon))
  }
  return keys
}

function embedLabel(format: string, text: string): string {
  const [, alt, source] = /^!?\[([^\]]*)\]\((.*)\)$/s.exec(text) ?? []
  return `${format.charAt(0).toUpperCase()}${format.slice(1)}: ${alt || source || text}`
}

function firstLineOf(text: string): string {
  const end = text.indexOf('\n')
  return end < 0 ? text : text.slice(0, end)
}

function* lineRanges(text: string): Generator<[start: number, end: number]> {
  let start = 0
  while (start <= text.length) {
    const newline = text.indexOf('\n', start)
    const end = newline < 0 ? text.length : newline
    yield [start, end]
    start = end + 1
  }
}
