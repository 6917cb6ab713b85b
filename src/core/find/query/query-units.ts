import { stem } from '../../../util/text/stem.ts'
import { kindAt, REGIONAL, SINGLE, SYMBOL } from './character-kinds.ts'
import { fold } from './fold.ts'
import type { Unit } from './query-model.ts'
import { isStopWord } from './stop-words.ts'
import { indexForm, type Word, wordsOf } from './words.ts'

/** Minimum length of a prefix. */
export const MIN_PREFIX = 2
const MIN_STEM = 3
const MIN_PART = 3
/**
 * Maximum length of text between spaces: longer text is not a word, and without spaces has more words than a query may
 * have.
 */
const MAX_CHUNK = 1000

/** Text in quotes: a phrase. Empty if it has no word. */
export function phraseUnits(text: string): Unit[] {
  return unitOf(wordsOf(text), text.trim(), { isStopWord: false })
}

/** Needs no character-by-character scan. */
const PLAIN_WORD = /^[a-z]{2,64}$/

/** Text between spaces: mostly a word; `v1.2` a phrase; `#tag` both a tag and words; 東京都 several words. */
export function chunkUnits(text: string): Unit[] {
  if (PLAIN_WORD.test(text)) {
    return [
      { kind: 'word', words: [stem(text)], shown: text, isStopWord: isStopWord(text), isExcluded: false },
    ]
  }
  const chunk = text.slice(0, MAX_CHUNK)
  return [...tagUnits(chunk), ...partsOf(chunk).flatMap((part) => partUnits(chunk, part))]
}

/** `begin*`; undefined if it is not a prefix. */
export function prefixUnits(chunk: string): Unit[] | undefined {
  if (chunk.indexOf('*') !== chunk.length - 1) return undefined
  const words = wordsOf(chunk)
  const last = words.at(-1)
  if (!last || last.end !== chunk.length - 1 || partKind(last) !== 0) return undefined
  const beginning = prefixWord(fold(chunk.slice(last.start, last.end)).replace(/['’ʼ]/g, ''))
  if (beginning.length < MIN_PREFIX) return undefined
  const before = words.slice(0, -1).map(({ word }) => word)
  return [
    { kind: 'prefix', words: [...before, beginning], shown: chunk, isStopWord: false, isExcluded: false },
  ]
}

/** `c*` would match too much, so it is a word. In scripts where characters are words it means the same. */
export function isShortPrefix(chunk: string): boolean {
  return /^[\p{L}\p{N}]\*$/u.test(chunk) && kindAt(chunk, 0) !== SINGLE
}

function tagUnits(chunk: string): Unit[] {
  const [tag] = chunk.startsWith('#')
    ? indexForm(chunk)
        .split(' ')
        .filter((word) => word.startsWith('#'))
    : []
  return tag === undefined
    ? []
    : [{ kind: 'word', words: [tag], shown: chunk, isStopWord: false, isExcluded: false }]
}

function unitOf(words: Word[], shown: string, { isStopWord }: { isStopWord: boolean }): Unit[] {
  if (words.length === 0) return []
  const kind = words.length === 1 ? 'word' : 'phrase'
  return [{ kind, words: words.map(({ word }) => word), shown, isStopWord, isExcluded: false }]
}

/**
 * Words of one chunk that belong together, by how they are written: `kind` is `SINGLE` or `SYMBOL`, or 0 for all
 * others.
 */
interface Part {
  kind: number
  words: Word[]
}

/** Text without spaces is a separate part, and so is every emoji. */
function partsOf(chunk: string): Part[] {
  const parts: Part[] = []
  for (const word of wordsOf(chunk)) {
    const kind = partKind(word)
    const part = parts.at(-1)
    const isNext = kind === 0 || (kind === SINGLE && part?.words.at(-1)?.end === word.start)
    if (part?.kind === kind && isNext) part.words.push(word)
    else parts.push({ kind, words: [word] })
  }
  return parts
}

function partKind({ word }: Word): number {
  const kind = kindAt(word, 0)
  if (kind === REGIONAL) return SYMBOL
  return kind === SINGLE || kind === SYMBOL ? kind : 0
}

function partUnits(chunk: string, { kind, words }: Part): Unit[] {
  const text = chunk.slice(words[0]?.start, words.at(-1)?.end)
  if (kind !== SINGLE) {
    const units = unitOf(words, text, { isStopWord: words.length === 1 && isStopWord(text) })
    return words.length === 1
      ? units
      : units.map((unit) => ({ ...unit, parts: significantWords(chunk, words) }))
  }
  return segmentsOf(text).flatMap((segment) => {
    return unitOf(wordsOf(segment), segment, { isStopWord: isStopWord(segment) })
  })
}

/** Without common words: stop words, numbers, and the rest of `v1.2`. */
function significantWords(chunk: string, words: readonly Word[]): Unit[] {
  return words.flatMap((word) => {
    const text = chunk.slice(word.start, word.end)
    const isTelling = text.length >= MIN_PART && !/^\p{N}+$/u.test(text) && !isStopWord(text)
    return isTelling ? unitOf([word], text, { isStopWord: false }) : []
  })
}

let segmenter: Intl.Segmenter | undefined

/** The words of a text without spaces, from the platform's dictionaries. The locale makes no difference. */
function segmentsOf(text: string): string[] {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'word' })
  return Array.from(segmenter.segment(text), ({ segment }) => segment)
}

const IS_ENGLISH = /^[a-z]{3,}$/
const SUFFIXES =
  'able ation ational ed ence er es ies ing ion ions ity ive ization ize ly ment ness ous'.split(' ')

/**
 * The index has stems, and a stem may be shorter than the typed prefix: `configuration` is indexed as `configur`, so
 * `configura*` must search for that. It matches a little more than requested.
 */
function prefixWord(typed: string): string {
  if (!IS_ENGLISH.test(typed)) return typed
  const whole = commonStart(typed, stem(typed))
  const stems = completions(typed)
    .map((word) => stem(word))
    .filter((one) => one.length >= MIN_STEM && typed.startsWith(one))
  return [whole, ...stems].reduce((shortest, one) => (one.length < shortest.length ? one : shortest))
}

/** `running` for `runni`: the words that it may become when a suffix that it begins is completed. */
function completions(typed: string): string[] {
  return SUFFIXES.flatMap((suffix) => {
    const lengths = Array.from({ length: suffix.length - 1 }, (_, place) => place + 1)
    return lengths
      .filter((length) => typed.endsWith(suffix.slice(0, length)))
      .map((length) => typed + suffix.slice(length))
  })
}

function commonStart(left: string, right: string): string {
  let length = 0
  while (length < left.length && left[length] === right[length]) length++
  return left.slice(0, length)
}
