import type { Token } from 'markdown-it'
import { TooManyBlocks } from '../../core/doors/text-limit.ts'

/** Tokens of Markdown that cost a text its time: each is a block, or an item or cell of one. */
const COUNTED = new Set(['inline', 'fence', 'code_block', 'html_block', 'hr', 'too_deep', 'list_item_open'])

/** For each allowed block: possible links are the only marks that are scanned repeatedly. */
const BRACKETS = 4
/**
 * Each is a step of the parser for inline text, and takes about as long as storing `apart` characters of plain text: so a text takes
 * about twice as long as a plain one of the same size. A short one may have more: `each`, for each block that there may be.
 */
const MARKS = [
  { chars: '*_', name: 'marks of emphasis', apart: 20, each: 0.5 },
  { chars: '<', name: 'tags', apart: 50, each: 0.5 },
  { chars: '`&\\', name: 'marks of inline code and escapes', apart: 20, each: 1 },
]
/** For each block that there may be: before the first block is known, every line has its place in several lists. */
const LINES = 20

/**
 * A list of tokens for the blocks of `source` that throws TooManyBlocks before it holds more than `maxBlocks`: the parser stops
 * there, or immediately if the text has too many lines or brackets.
 */
export function limitedTokens(source: string, maxBlocks: number): Token[] {
  checkLines(source, maxBlocks)
  const brackets = countOf(source, '[')
  if (brackets > BRACKETS * maxBlocks)
    throw new TooManyBlocks(`${brackets} opening brackets`, BRACKETS * maxBlocks)
  const tokens: Token[] = []
  let blocks = 0
  tokens.push = (...added: Token[]): number => {
    for (const token of added) {
      if (COUNTED.has(token.type) && ++blocks > maxBlocks)
        throw tooMany(Math.max(estimateBlocks(source), maxBlocks + 1), maxBlocks)
      tokens[tokens.length] = token
    }
    return tokens.length
  }
  return tokens
}

/** Throws TooManyBlocks if the text of the blocks has too many opening or closing marks. Code has none. */
export function checkMarks(
  tokens: readonly Token[],
  { length, maxBlocks }: { length: number; maxBlocks: number },
): void {
  for (const { chars, name, apart, each } of MARKS) {
    const most = Math.floor(Math.max(each * maxBlocks, length / apart))
    let count = 0
    for (const { type, content } of tokens) if (type === 'inline') count += runsOf(content, chars)
    if (count > most) throw new TooManyBlocks(`${count} ${name}`, most)
  }
}

/** How often one of `chars` follows another character than itself. */
function runsOf(text: string, chars: string): number {
  const isMark = new Uint8Array(128)
  for (const char of chars) isMark[char.charCodeAt(0)] = 1
  let count = 0
  let before = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (isMark[code] === 1 && code !== before) count++
    before = code
  }
  return count
}

/** Most texts of too many lines have too many blocks, which says more. */
function checkLines(source: string, maxBlocks: number): void {
  const lines = countOf(source, '\n')
  if (lines <= LINES * maxBlocks) return
  const blocks = estimateBlocks(source)
  throw blocks > maxBlocks
    ? tooMany(blocks, maxBlocks)
    : new TooManyBlocks(`${lines} lines`, LINES * maxBlocks)
}

function countOf(source: string, mark: string): number {
  let count = 0
  for (let at = source.indexOf(mark); at >= 0; at = source.indexOf(mark, at + 1)) count++
  return count
}

function tooMany(count: number, maxBlocks: number): TooManyBlocks {
  return new TooManyBlocks(`about ${count} blocks (paragraphs, headings, list items, cells)`, maxBlocks)
}

/** Lines that begin a block by their mark, or follow an empty line. */
const BEGINNING = /(?:^|\n)[ \t>]*(?:[-*+] |\d+[.)] |#|\||\n[ \t]*\S)/g

/** How many blocks a text has, about, without parsing it. */
function estimateBlocks(source: string): number {
  let count = 0
  BEGINNING.lastIndex = 0
  while (BEGINNING.test(source)) count++
  return count
}
