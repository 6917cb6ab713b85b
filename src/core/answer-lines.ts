import { printable, printableText } from '../util/text/printable.ts'
import { NODE_TYPES } from './model.ts'

/**
 * Content between the lines of an answer. Whoever reads one, a model or a parser, must find exactly the entries that we wrote:
 * a line of content that could be taken for one of ours gets a backslash in front.
 */

/** Lines that an answer has of its own, without blanks; see `skeleton`. */
const OURS = {
  tree: new RegExp(
    String.raw`^(?:\[(?:${NODE_TYPES.join('|')})\].*\(id=|\[(?:add|mod|rem)\]\w{11}|\.{3}(?:\d|atleast\d|under|more:|nextin|older:|rest:|wholetext|notevery)|(?:notfound|overbudget|stillcompiling):)`,
  ),
  keys: /^(?:[-+*•]?\*\*.*\*\*:|---|\*\d+memor(?:y|ies)found|\.{3}\d+more:|##(?:Contextfor|Memoriestagged))/,
}
/** Characters of ASCII that such a line can begin with: most lines need no closer look. */
const BEGINNINGS: Record<AnswerKind, string> = { tree: '[.nos', keys: '-+*#.' }

/** Whose lines: those about nodes, or those about keys. */
export type AnswerKind = keyof typeof OURS

const SEEN = /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{C}\p{M}\u2800]/u
const UNSEEN = new RegExp(SEEN.source.replace('[^', '['), 'gu')

/** Of other scripts and of typography: what is compatible by Unicode, such as full-width forms, is not listed. */
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

/** What can stand for `(` and for `*`. */
const OPENING = /[(⁽₍︵﹙（❨⟮]/gu
const STAR = /[*﹡＊∗⁎✱✲٭]/gu

/**
 * Several lines of content to stand between lines of our own. What rules a terminal or breaks a line is spelled out, but line feeds,
 * CRLF and tabs stay. `isInline`: the first line stands behind something of ours.
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

/** It could be taken for a line of an answer, whatever is invisible in it, and whatever it is indented with. */
export function isAnswerLine(line: string, kind: AnswerKind = 'tree'): boolean {
  const first = line[line.search(SEEN)] ?? ''
  const mayBegin = first > '\x7f' || (first !== '' && BEGINNINGS[kind].includes(first))
  return mayBegin && OURS[kind].test(skeleton(line))
}

/** Content on the line of a node, beside its own `(id=`. `whole` is what `text` is a piece of. */
export function escapeNodeName(text: string, whole = text): string {
  return guarded(text, whole, { marker: '(id=', at: OPENING })
}

/** A key on a line that is `**key**: value`. */
export function escapeKeyName(key: string): string {
  return guarded(key, key, { marker: '**:', at: STAR })
}

/** On one line, with a backslash before each of `at` where `marker` could be read in the whole. */
function guarded(text: string, whole: string, { marker, at }: { marker: string; at: RegExp }): string {
  const shown = printable(text)
  return shown.search(at) >= 0 && skeleton(whole).includes(marker) ? shown.replace(at, '\\$&') : shown
}

/** What a line says to an eye that does not see blanks, marks and the difference between look-alikes. */
function skeleton(line: string): string {
  return line
    .normalize('NFKD')
    .replace(UNSEEN, '')
    .replace(LOOKALIKE, (found) => LOOKALIKES.get(found) as string)
}
