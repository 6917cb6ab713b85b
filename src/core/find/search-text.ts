import { printable } from '../../util/terminal-text.ts'
import { utf8Length } from '../tokens.ts'
import { cutUntil, fitting } from './fit.ts'
import { type Paint, PLAIN } from './paint.ts'
import type { Part } from './rank.ts'
import type { SearchAnswer, Searched, SearchHit } from './search-model.ts'

/** Characters of each list of words in the last line. */
const SHOWN_WORDS = 60

/** An answer as an agent reads it: best first, and below what was looked for. */
export function searchLines(answer: SearchAnswer, paint: Paint = PLAIN): string[] {
  const { hits, leftOut, searched } = answer
  if (hits.length === 0) return ['no results', paint.dim(reason(searched))]
  return [...hits.flatMap((hit) => hitLines(hit, paint)), paint.dim(trailer(leftOut, searched))]
}

export function searchText(answer: SearchAnswer): string {
  return searchLines(answer).join('\n')
}

/** `[text] Retries are capped. (id=3GGuLAq3yNP file=docs/ops.md score=1.24 temp=0.50 tok=35)`, and its snippet. */
function hitLines(hit: SearchHit, paint: Paint): string[] {
  const { id, type, label, path, headingPath, score, temperature, tokens } = hit
  const heat = paint.heat(`temp=${temperature.toFixed(2)}`, temperature)
  const details = `${paint.dim(`(id=${id} file=${printable(path)} score=${score.toFixed(2)} `)}${heat}${paint.dim(` tok=${tokens})`)}`
  return [
    `${paint.type(`[${type}]`)} ${printable(label)} ${details}`,
    ...(headingPath.length > 0 ? [paint.dim(`  ${headingPath.map(printable).join(' › ')}`)] : []),
    ...(hit.snippet === '' || hit.snippet === label ? [] : [`  ${snippet(hit, paint)}`]),
    ...explainLines(hit, paint),
  ]
}

function snippet({ snippet: text, matches }: SearchHit, paint: Paint): string {
  let shown = ''
  let at = 0
  for (const [start, end] of matches) {
    shown += printable(text.slice(at, start)) + paint.match(printable(text.slice(start, end)))
    at = end
  }
  return shown + printable(text.slice(at))
}

function trailer(leftOut: number, searched: Searched): string {
  const more = leftOut === 0 ? '' : `… ${searched.complete ? '' : 'at least '}${leftOut} more left out; `
  return `${more}${what(searched)}`
}

function what({ nodes, words, dropped, missing, notes }: Searched): string {
  const parts = [
    words.length > 0 ? `searched ${nodes} nodes for ${list(words)}` : `searched ${nodes} nodes`,
    ...(missing.length > 0 ? [`nowhere: ${list(missing)}`] : []),
    ...(dropped.length > 0 ? [`too common: ${list(dropped)}`] : []),
    ...(notes.length > 0 ? [list(notes)] : []),
  ]
  return parts.join('; ')
}

function reason(searched: Searched): string {
  const { nodes, words, missing, filters } = searched
  if (nodes === 0) return 'the memory is empty; compile a folder or write a note'
  if (words.length + missing.length === 0 && Object.keys(filters).length === 0)
    return ['the query has no words to look for', ...searched.notes].join('; ')
  return what(searched)
}

function list(words: readonly string[]): string {
  const text = printable(words.join(', '))
  return cutUntil(text, (cut) => cut.length <= SHOWN_WORDS)
}

/** Leaves out hits from the last on until the text of the answer fits into `room`, in bytes. The best one stays, cut if it must be. */
export function fitSearch(answer: SearchAnswer, room: number): SearchAnswer {
  if (room === Number.POSITIVE_INFINITY || utf8Length(searchText(answer)) <= room) return answer
  const { hits, leftOut, searched } = answer
  const leaving = (kept: number): number => leftOut + hits.length - kept
  const blocks = hits.map((hit) => hitLines(hit, PLAIN).join('\n'))
  const kept = fitting(blocks, room, (count) => utf8Length(trailer(leaving(count), searched)))
  if (kept > 0 || hits.length === 0) return { ...answer, hits: hits.slice(0, kept), leftOut: leaving(kept) }
  const best = hits[0] as SearchHit
  return cutBest({ ...answer, hits: [best], leftOut: leaving(1) }, best, room)
}

/** First the snippet gets shorter, then the headings go, then the label and the words in the last line get shorter. */
function cutBest(answer: SearchAnswer, best: SearchHit, room: number): SearchAnswer {
  const having = (hit: SearchHit): SearchAnswer => ({ ...answer, hits: [{ ...hit, cut: true }] })
  const fits = (hit: SearchHit): boolean => utf8Length(searchText(having(hit))) <= room
  const shorter = (hit: SearchHit, text: string): SearchHit => ({
    ...hit,
    snippet: text,
    matches: hit.matches.filter(([, end]) => end < text.length),
  })
  for (const hit of [best, { ...best, headingPath: [] }]) {
    if (fits(shorter(hit, '')))
      return having(
        shorter(
          hit,
          cutUntil(hit.snippet, (text) => fits(shorter(hit, text))),
        ),
      )
  }
  const bare = shorter({ ...best, headingPath: [] }, '')
  const cut = (path: string): SearchHit => ({
    ...bare,
    path,
    label: cutUntil(bare.label, (label) => fits({ ...bare, path, label })),
  })
  const path = cutUntil(bare.path, (shown) => fits({ ...bare, path: shown, label: '' }))
  return having(cut(path))
}

/** How the score of a hit came about, a line for each word. */
function explainLines({ score, explain }: SearchHit, paint: Paint): string[] {
  if (!explain) return []
  const { parts, relevance, prior } = explain
  const sum = `${score.toFixed(2)} = relevance ${relevance.toFixed(2)} × heat ${prior.toFixed(2)}`
  const lines = parts.map(
    (part) =>
      `${printable(part.unit)}: ${part.score.toFixed(2)}, rarity ${part.idf.toFixed(2)}, ${fieldsOf(part)}`,
  )
  return [`score ${sum}`, ...lines].map((line) => paint.dim(`    ${line}`))
}

function fieldsOf({ label, text, headings, sibling }: Part): string {
  const fields = [
    label ? 'label' : '',
    text ? 'text' : '',
    headings ? 'heading above' : '',
    sibling > 0 ? `${sibling === 1 ? 'next' : 'next but one'} sibling` : '',
  ].filter((field) => field !== '')
  return fields.join(', ') || 'not here'
}
