/**
 * The only tokenizer: texts and queries become words here, by the same rules. A word has no ASCII besides `a-z0-9+#`,
 * no space, and at most 64 code units.
 */
import { stem } from '../../../util/text/stem.ts'
import {
  APOSTROPHE,
  DIGIT,
  HASH,
  isInRun,
  JOINER,
  kindAt,
  LETTER,
  MARK,
  REGIONAL,
  SEPARATOR,
  SINGLE,
  SYMBOL,
  widthAt,
} from './character-kinds.ts'
import { cutWord, fold, foldWithOffsets, needsFolding } from './fold.ts'
import { foldedTagWords, tagWords } from './tags.ts'

export interface Word {
  word: string
  /** In UTF-16 code units of the given text. */
  start: number
  end: number
}

/**
 * The index form of a text: its words, then its tags (and the given ones) as `#tag`, separated by spaces. Null: none.
 */
export function indexForm(text: string, { tags = [] }: { tags?: readonly string[] | null } = {}): string {
  const known = tags && new Set(tags.flatMap(tagWords))
  const found: Found = { words: [], spans: null, initials: undefined, tags: known }
  scan(fold(text), found)
  for (const tag of found.tags ?? []) found.words.push(tag)
  return found.words.join(' ')
}

/**
 * The same words with their positions, without the tags. Slower; a caller that needs only some of them passes their
 * initial character codes, and other words are not stemmed.
 */
export function wordsOf(text: string, initials?: ReadonlySet<number>): Word[] {
  const words: Word[] = []
  const add = (chunk: string, offset: number): void => addWords(chunk, offset, words, initials)
  if (!needsFolding(text)) add(text, 0)
  else for (const { 0: chunk, index } of text.matchAll(CHUNK)) add(chunk, index)
  return words
}

/** No word crosses white space, and most chunks between it need no folding. */
const CHUNK = /[^\0- ]+/g

function addWords(
  chunk: string,
  offset: number,
  words: Word[],
  initials: ReadonlySet<number> | undefined,
): void {
  const folded = needsFolding(chunk) ? foldWithOffsets(chunk) : null
  const spans: number[] = []
  const found: Found = { words: [], spans, tags: null, initials }
  scan(folded?.text ?? chunk.toLowerCase(), found)
  for (const [place, word] of found.words.entries()) {
    const first = spans[place * 2] ?? 0
    const end = spans[place * 2 + 1] ?? 0
    const start = offset + (folded?.starts[first] ?? first)
    words.push({ word, start, end: offset + (folded?.ends[end - 1] ?? end) })
  }
}

interface Found {
  words: string[]
  /** Start and end of each word in the folded text; null: not wanted. */
  spans: number[] | null
  /** As indexed; null: not wanted. */
  tags: Set<string> | null
  /** Words with other initials are not stemmed: a stem has the same initial. */
  initials: ReadonlySet<number> | undefined
}

function scan(text: string, found: Found): void {
  let at = 0
  while (at < text.length) {
    const kind = kindAt(text, at)
    if (kind === SEPARATOR) at++
    else if (isInRun(kind)) at = scanRun(text, at, found)
    else if (kind === HASH) at = scanHash(text, at, found)
    else if (kind === SINGLE) at = scanSingle(text, at, found)
    else if (kind === SYMBOL || kind === REGIONAL) at = scanSymbol(text, at, kind, found)
    else at++
  }
}

function add(found: Found, word: string, start: number, end: number): number {
  found.words.push(word)
  if (found.spans) found.spans.push(start, end)
  return end
}

function scanRun(text: string, start: number, found: Found): number {
  let end = start
  let kind = LETTER
  let isEnglish = true
  while (end < text.length) {
    kind = kindAt(text, end)
    if (!isInRun(kind)) break
    if (kind !== LETTER) isEnglish = false
    end += kind <= DIGIT ? 1 : widthAt(text, end)
  }
  if (kind === APOSTROPHE) return scanApostrophe(text, start, end, found)
  if (isEnglish && end === start + 1) return scanLetter(text, start, found)
  const word = cutWord(text.slice(start, end))
  const isWanted = !found.initials || found.initials.has(text.charCodeAt(start))
  return add(found, isEnglish && isWanted ? stem(word) : word, start, end)
}

function endOfRun(text: string, start: number): number {
  let end = start
  while (end < text.length && isInRun(kindAt(text, end))) end += widthAt(text, end)
  return end
}

/** `c++` and `c#` are words; in `c#x` the `#` separates. */
function scanLetter(text: string, start: number, found: Found): number {
  const next = start + 1
  const isPlus = text.startsWith('++', next)
  const isSharp = text[next] === '#' && !(next + 1 < text.length && isInRun(kindAt(text, next + 1)))
  const end = isPlus ? next + 2 : isSharp ? next + 1 : next
  return add(found, text.slice(start, end), start, end)
}

/** English suffixes after an apostrophe: they would change the word, and do not matter. */
export const CLITICS: ReadonlySet<string> = new Set(['s', 're', 've', 'll', 'd', 'm'])

/** `what's` is `what`, `don't` is `dont`, `O'Reilly` is `oreilly`; `l'homme` is two words. */
function scanApostrophe(text: string, start: number, end: number, found: Found): number {
  const word = text.slice(start, end)
  const tailEnd = endOfRun(text, end + 1)
  const tail = text.slice(end + 1, tailEnd)
  const isJoined = (tail === 't' && word.endsWith('n')) || (word === 'o' && tail.length > 2)
  if (isJoined) return add(found, wordOf(word + tail), start, tailEnd)
  add(found, wordOf(word), start, end)
  return CLITICS.has(tail) ? tailEnd : end + 1
}

/** A character of a script written without spaces, with its marks. */
function scanSingle(text: string, start: number, found: Found): number {
  let end = start + widthAt(text, start)
  while (end < text.length && kindAt(text, end) === MARK) end += widthAt(text, end)
  return add(found, cutWord(text.slice(start, end)), start, end)
}

function scanSymbol(text: string, start: number, kind: number, found: Found): number {
  let end = start + widthAt(text, start)
  const isNext = (at: number, wanted: number) => at < text.length && kindAt(text, at) === wanted
  if (kind === REGIONAL && isNext(end, REGIONAL)) end += 2
  while (kind === SYMBOL && isNext(end, JOINER) && isNext(end + 1, SYMBOL)) end += 1 + widthAt(text, end + 1)
  return add(found, cutWord(text.slice(start, end)), start, end)
}

/** The words of a tag are also words: only the `#` is consumed. */
function scanHash(text: string, at: number, found: Found): number {
  if (found.tags && (at === 0 || isBeforeTag(text.charCodeAt(at - 1)))) {
    const tag = text.slice(at + 1, endOfTag(text, at + 1))
    // `#12` is a number, not a tag.
    if (/\p{L}/u.test(tag)) for (const word of foldedTagWords(tag)) found.tags.add(word)
  }
  return at + 1
}

function isBeforeTag(unit: number): boolean {
  return unit <= 0x20 || unit === OPENING
}
const OPENING = '('.charCodeAt(0)

function endOfTag(text: string, start: number): number {
  let end = start
  for (let at = start; at < text.length; ) {
    const kind = kindAt(text, at)
    const isPart = isInRun(kind) || kind === SINGLE
    if (!isPart && !'-_/'.includes(text.charAt(at))) break
    at += widthAt(text, at)
    if (isPart) end = at
  }
  return end
}

const IS_ENGLISH = /^[a-z]+$/

/** The word for a run of letters and digits, folded. */
export function wordOf(run: string): string {
  const word = cutWord(run)
  return IS_ENGLISH.test(word) ? stem(word) : word
}
