import { utf8End } from '../../core/tokens.ts'
import { compressWhitespace } from './whitespace.ts'

/**
 * The last place in `window` to end a piece: after at least `min` and at most `max` characters. -1 when there is none.
 * The window shows one or two characters more than `max`, so that a boundary right at the end is seen.
 */
type Boundary = (window: string, min: number, max: number) => number

const paragraphEnd: Boundary = (window, min, max) => atLeast(min, window.lastIndexOf('\n\n', max))
const lineEnd: Boundary = (window, min, max) => atLeast(min, window.lastIndexOf('\n', max))

const sentenceEnd: Boundary = (window, min, max) => {
  for (let end = max; end >= min; end--) {
    const last = window.charAt(end - 1)
    if ('。！？'.includes(last) || ('.!?'.includes(last) && isSpace(window.charCodeAt(end)))) return end
  }
  return -1
}

const wordEnd: Boundary = (window, min, max) => {
  for (let end = max; end >= min; end--) if (isSpace(window.charCodeAt(end))) return end
  return -1
}

const PROSE: readonly Boundary[] = [paragraphEnd, lineEnd, sentenceEnd, wordEnd]

/** No piece but the last is emptier than this part of the limit: a boundary further back is passed over. */
const MIN_FILL = 0.25
const MAX_LINK_LENGTH = 1000

/**
 * Pieces of at most `maxBytes` (4 or more) in UTF-8, cut at the end of a paragraph, else a line, a sentence, a word,
 * else anywhere between code points. Only white space between pieces is lost. Linear in the length of the text.
 */
export function splitText(text: string, maxBytes: number): string[] {
  const pieces: string[] = []
  let start = 0
  while (start < text.length) {
    const end = utf8End(text, start, maxBytes)
    const cut = end === text.length ? end : start + findCut(text.slice(start, end + 2), end - start)
    const piece = compressWhitespace(text.slice(start, cut))
    if (piece !== '') pieces.push(piece)
    start = skipSeparator(text, cut)
  }
  return pieces
}

function findCut(window: string, max: number): number {
  const min = Math.max(1, Math.floor(max * MIN_FILL))
  for (const boundary of PROSE) {
    const cut = boundary(window, min, max)
    if (cut > 0) return beforeOpenLink(window, min, cut)
  }
  return beforeOpenLink(window, min, max)
}

/** A link cut in two is two broken links. */
function beforeOpenLink(window: string, min: number, cut: number): number {
  const open = window.lastIndexOf('[[', cut - 1)
  if (open < min || cut - open > MAX_LINK_LENGTH) return cut
  const close = window.indexOf(']]', open)
  return close >= 0 && close + 2 <= cut ? cut : open
}

/** After a line end the next line keeps its indentation; between words there is nothing to keep. */
function skipSeparator(text: string, cut: number): number {
  let next = cut
  if (text.charCodeAt(next) === LF) while (text.charCodeAt(next) === LF) next++
  else while (isSpace(text.charCodeAt(next))) next++
  return next
}

function atLeast(min: number, index: number): number {
  return index < min ? -1 : index
}

const LF = 10

function isSpace(code: number): boolean {
  return code === 32 || code === LF || code === 9
}
