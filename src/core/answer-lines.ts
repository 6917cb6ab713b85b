import { printable, printableText } from '../util/text/printable.ts'
import { NODE_TYPES } from './model.ts'

/**
 * Content between the lines of an answer. A model or parser that reads an answer must find exactly the entries that we
 * wrote, so a line of content that looks like one of ours gets a leading backslash.
 */

/** The lines that we write in answers, without blanks; see `skeleton`. */
const OURS = {
  tree: new RegExp(
    String.raw`^(?:\[(?:${NODE_TYPES.join('|')})\].*\(id=|\[(?:add|mod|rem)\]\w{11}|\.{3}(?:\d|atleast\d|under|more:|nextin|older:|rest:|wholetext|notevery)|(?:notfound|overbudget|stillcompiling):)`,
  ),
  keys: /^(?:[-+*•]?\*\*.*\*\*:|---|\*\d+memor(?:y|ies)found|\.{3}\d+more:|##(?:Contextfor|Memoriestagged))/,
}
/** ASCII characters that such a line can begin with: most lines need no closer look. */
const BEGINNINGS: Record<AnswerKind, string> = { tree: '[.nos', keys: '-+*#.' }

/** The kind of answer: about nodes, or about keys. */
export type AnswerKind = keyof typeof OURS

const SEEN = /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{C}\p{M}\u2800]/u
const UNSEEN = new RegExp(SEEN.source.replace('[^', '['), 'gu')

/** From other scripts and typography. Unicode compatibility forms, such as full-width characters, are not listed. */
const LOOKALIKES = new Map(
  Object.entries({
    '*': '∗⁎✱✲٭',
    '-': '‐‑‒–—―−',
    ':': 'ː∶꞉։׃',
    '=': '゠═',
    '[': '❲〔',
    ']': '❳〕',
    '(': '❨⟮',
    a: 'аα',
    b: 'Ь',
    c: 'сϲ',
    d: 'ԁ',
    e: 'е',
    g: 'ɡց',
    h: 'һ',
    i: 'іιı',
    k: 'кκ',
    l: 'ӏ',
    m: 'м',
    n: 'ո',
    o: 'оο',
    p: 'рρ',
    r: 'г',
    t: 'т',
    v: 'ѵν',
    x: 'хχ',
  }).flatMap(([plain, others]) => [...others].map((other): [string, string] => [other, plain])),
)
const LOOKALIKE = new RegExp(`[${[...LOOKALIKES.keys()].join('')}]`, 'gu')

/** Characters that look like `(` and `*`. */
const OPENING = /[(⁽₍︵﹙（❨⟮]/gu
const STAR = /[*﹡＊∗⁎✱✲٭]/gu

/**
 * Escapes several lines of content that go between our own lines. Terminal controls and line breaks are spelled out,
 * except line feeds, CRLF and tabs. `isInline`: the first line follows other text of ours.
 */
export function escapeAnswerLines(
  text: string,
  kind: AnswerKind = 'tree',
  { isInline = false } = {},
): string {
  return printableText(text)
    .split('\n')
    .map((line, at) => (isAnswerLine(line, kind) && !(isInline && at === 0) ? `\\${line}` : line))
    .join('\n')
}

/** Whether a line looks like a line of an answer, ignoring invisible characters and indentation. */
export function isAnswerLine(line: string, kind: AnswerKind = 'tree'): boolean {
  const first = line[line.search(SEEN)] ?? ''
  const mayBegin = first > '\x7f' || (first !== '' && BEGINNINGS[kind].includes(first))
  return mayBegin && OURS[kind].test(skeleton(line))
}

/** Escapes content on the line of a node, which has its own `(id=`. `whole` is the text that `text` is a piece of. */
export function escapeNodeName(text: string, whole = text): string {
  return escapeMarker(text, whole, { marker: '(id=', at: OPENING })
}

/** Escapes a key for a line of the form `**key**: value`. */
export function escapeKeyName(key: string): string {
  return escapeMarker(key, key, { marker: '**:', at: STAR })
}

/** The text on one line, with a backslash before each `at` if `marker` can be read in the whole text. */
function escapeMarker(text: string, whole: string, { marker, at }: { marker: string; at: RegExp }): string {
  const shown = printable(text)
  return shown.search(at) >= 0 && skeleton(whole).includes(marker) ? shown.replace(at, '\\$&') : shown
}

/** The line as a reader sees it: without blanks and marks, and with look-alikes replaced. */
function skeleton(line: string): string {
  return line
    .normalize('NFKD')
    .replace(UNSEEN, '')
    .replace(LOOKALIKE, (found) => LOOKALIKES.get(found) as string)
}
