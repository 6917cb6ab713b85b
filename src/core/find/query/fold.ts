/**
 * Folding: texts that differ only in case, accents or letter forms become equal. It depends only on the NFKD of the
 * text, so composed and decomposed texts fold alike.
 */

/**
 * Texts of only these characters differ from their folded form only in case and in punctuation that separates anyway.
 */
const NEEDS_FOLDING = /[^\0-\x7f‘’“”–—…•→✓✅❌]/

const ACCENTS = String.raw`\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f`
const HEBREW_POINTS = String.raw`\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7`
/** Including the tatweel, which only stretches a word. */
const ARABIC_POINTS = String.raw`\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed`
/** Soft hyphens, directions, variation selectors, the tags of flags. */
const UNSEEN = String.raw`\xad\u061c\u180b-\u180f\u200b\u200c\u200e\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\u{e0000}-\u{e0fff}`
const SKIN_TONES = String.raw`\u{1f3fb}-\u{1f3ff}`
const DROPPED = new RegExp(`[${ACCENTS}${HEBREW_POINTS}${ARABIC_POINTS}${UNSEEN}${SKIN_TONES}]+`, 'gu')
/**
 * Characters that may be dropped or that compose with the preceding one; the half-width marks of Japanese are letters
 * in Unicode.
 */
const EXTENDERS = String.raw`\p{M}\p{Cf}\u0640\uff9e\uff9f${UNSEEN}${SKIN_TONES}`
const EXTENDER = `[${EXTENDERS}]`
/** Ordering marks takes quadratic time; Unicode's stream-safe text format has the same limit. */
const MAX_EXTENDERS = 30
const EXTENDER_RUN = new RegExp(`(${EXTENDER}{${MAX_EXTENDERS}})${EXTENDER}+`, 'gv')
/** A joiner counts only between emoji; in a word of another script it selects a letter form. */
const IDLE_JOINER = /\u200d(?<!\p{Extended_Pictographic}\u200d)|\u200d(?!\p{Extended_Pictographic})/gu
/** Trademark signs are attached to a word, and their compatibility form is letters. */
const TRADE_MARKS = /[™℠]/g

/** Letters that Unicode does not decompose, and letters that it decomposes but that should stay whole. */
const LETTERS = new Map([
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['ø', 'o'],
  ['đ', 'd'],
  ['ð', 'd'],
  ['þ', 'th'],
  ['ħ', 'h'],
  ['ł', 'l'],
  ['ı', 'i'],
  ['ς', 'σ'],
  ['\u0e4d\u0e32', '\u0e33'],
  ['\u0ecd\u0eb2', '\u0eb3'],
])
const LETTER = new RegExp([...LETTERS.keys()].join('|'), 'g')

export const MAX_WORD = 64

/** A digest is still found by its beginning; the rest of a long word does not matter. */
export function cutWord(word: string): string {
  if (word.length <= MAX_WORD) return word
  const isInsidePair = (word.charCodeAt(MAX_WORD - 1) & 0xfc00) === 0xd800
  return word.slice(0, isInsidePair ? MAX_WORD - 1 : MAX_WORD)
}

export function needsFolding(text: string): boolean {
  return NEEDS_FOLDING.test(text)
}

export function fold(text: string): string {
  if (!needsFolding(text)) return text.toLowerCase()
  return withoutLongRuns(text)
    .replace(TRADE_MARKS, ' ')
    .normalize('NFKD')
    .replace(DROPPED, '')
    .replace(IDLE_JOINER, '')
    .toLowerCase()
    .replace(LETTER, (letter) => LETTERS.get(letter) ?? letter)
    .normalize('NFC')
}

function withoutLongRuns(text: string): string {
  if (text.length < MAX_EXTENDERS) return text
  return text.replace(EXTENDER_RUN, '$1')
}

const PICTURE = String.raw`\p{Extended_Pictographic}`
const JAMO = String.raw`[\u1100-\u11ff\u3130-\u318f\u3200-\u321e\u3260-\u327e\ua960-\ua97f\ud7b0-\ud7ff\uffa0-\uffdc]`
const JOIN = String.raw`[[${EXTENDERS}]--\u200d]*(?:\u200d[[${EXTENDERS}]--\u200d]*)+`
/** Two signs of Thai and of Lao that form one. */
const AM = String.raw`(?:(?=[\u0e32\u0eb2])(?<=[\u0e4d\u0ecd]${EXTENDER}*).${EXTENDER}*)*`
/** A unit of folding: an emoji, letters of Hangul that compose to a syllable, a character with its marks. */
const PIECE = new RegExp(
  `(?:${PICTURE}(?:${JOIN}${PICTURE})*${EXTENDER}*|[${JAMO}\\uac00-\\ud7a3](?:${EXTENDER}*${JAMO})*${EXTENDER}*|.${EXTENDER}*)${AM}`,
  'gsv',
)

/** The folded text, and for each of its code units the start and end of the piece that it comes from. */
export interface FoldedText {
  text: string
  starts: number[]
  ends: number[]
}

/** Like `fold`, but slower. */
export function foldWithOffsets(text: string): FoldedText {
  const folded: FoldedText = { text: '', starts: [], ends: [] }
  for (const { 0: piece, index } of text.matchAll(PIECE)) {
    const part = foldPiece(piece)
    folded.text += part
    for (let unit = 0; unit < part.length; unit++) {
      folded.starts.push(index)
      folded.ends.push(index + piece.length)
    }
  }
  return folded
}

const MAX_PIECES = 20_000
const pieces = new Map<string, string>()

/** Folding characters one by one is slow, and texts repeat characters. */
function foldPiece(piece: string): string {
  const known = pieces.get(piece)
  if (known !== undefined) return known
  const folded = fold(piece)
  if (pieces.size >= MAX_PIECES) pieces.clear()
  if (piece.length <= MAX_WORD) pieces.set(piece, folded)
  return folded
}
