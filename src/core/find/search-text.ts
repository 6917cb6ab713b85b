import { printable } from '../../util/text/printable.ts'
import { plural } from '../../util/text/units.ts'
import { escapeAnswerLines, escapeNodeName, isAnswerLine } from '../answer-lines.ts'
import type { NodeType } from '../model.ts'
import { cutList } from './fit.ts'
import { nodeLine, nothingLine } from './node-line.ts'
import { type Paint, PLAIN } from './paint.ts'
import type { FilterName } from './query/query-filters.ts'
import type { Filters } from './query/query-model.ts'
import type { Part } from './rank.ts'
import type { SearchAnswer, Searched, SearchHit } from './search-model.ts'

/** Maximum size of each list of words below the hits, in bytes. */
export const LIST_BYTES = 120

/** How many hits are shown with a snippet; the others on one line. */
const BEST = 3
/** Length of the label of a hit on one line, or of the text around its match that replaces it. */
const EXCERPT = 40

/** Filters by their names in a query. */
const ASKED: Record<Exclude<keyof Filters, 'any' | 'none'>, FilterName | 'NOT'> = {
  types: 'type',
  kinds: 'kind',
  paths: 'path',
  tags: 'tag',
  documentTags: 'tag',
  since: 'since',
  pinned: 'pinned',
  without: 'NOT',
}

/** An answer as text for an agent: best first, then what was searched for. */
export function searchLines(answer: Omit<SearchAnswer, 'next'> & Rest, paint: Paint = PLAIN): string[] {
  const { query, hits, searched, pastEnd } = answer
  const nothing = nothingLine('no results', pastEnd)
  const first = hits.length === 0 ? [nothing] : hits.flatMap((hit, at) => hitLines(hit, at, paint))
  return [...first, ...closingLines(answer, searched, query).map(paint.dim)]
}

export function searchText(answer: SearchAnswer): string {
  return searchLines(answer).join('\n')
}

/**
 * `[text] Retries are capped. (id=3GGuLAq3yNP file=docs/ops.md score=1.24 temp=0.50 tok=35)`, and for the best ones
 * their headings and a snippet. The label omits what the snippet repeats: an agent pays for every word.
 */
export function hitLines(hit: SearchHit, place: number, paint: Paint): string[] {
  const { type, label, path, headingPath, score, cut } = hit
  const isBest = place < BEST
  const hasSnippet = isBest && hit.snippet !== '' && hit.snippet !== label
  const line = nodeLine(
    { ...hit, label: hasSnippet ? beside(type, label) : label },
    {
      file: path,
      facts: `score=${score.toFixed(2)}`,
      labelBytes: hasSnippet || !isBest ? EXCERPT : undefined,
      isCut: cut,
      shownLabel: hasSnippet ? undefined : isBest ? bestLabel(hit, paint) : laterLabel(hit, paint),
      paint,
    },
  )
  const headings = paint.dim(`  ${escapeAnswerLines(headingPath.map(printable).join(' › '))}`)
  return [
    line,
    ...(isBest && headingPath.length > 0 ? [headings] : []),
    ...(hasSnippet ? [`  ${snippet(hit, paint)}`] : []),
    ...explainLines(hit, paint),
  ]
}

/** The part of a label that a snippet does not repeat: none for a text, the number of items for a list. */
function beside(type: NodeType, label: string): string {
  if (type === 'text') return ''
  return type === 'list' ? label.replace(/^(\d+-item list): .*$/s, '$1') : label
}

/** With its matches, if it contains them all. */
function bestLabel(hit: SearchHit, paint: Paint): string | undefined {
  return hit.snippet === hit.label ? snippet(hit, paint) : undefined
}

/** For a text whose matches come after the shown label: a few words around the first of them. */
function laterLabel(hit: SearchHit, paint: Paint): string | undefined {
  const { type, label, snippet: text, matches } = hit
  const [first] = matches
  if (type === 'heading' || !first) return bestLabel(hit, paint)
  const [, end] = first
  const isInLabel = end <= Math.min(label.length, EXCERPT) && text.startsWith(label.slice(0, end))
  const isShown = text === label || (type === 'text' && !isInLabel)
  return isShown ? snippet(excerpt(hit, first), paint) : undefined
}

function excerpt(hit: SearchHit, [start, end]: [number, number]): SearchHit {
  const from = wordStart(hit.snippet, Math.max(0, start - EXCERPT / 2))
  const to = Math.min(hit.snippet.length, Math.max(end, from + EXCERPT))
  const before = from > 0 ? '…' : ''
  const after = to < hit.snippet.length ? '…' : ''
  const shift = before.length - from
  const matches = hit.matches
    .filter(([left, right]) => left >= from && right <= to)
    .map(([left, right]): [number, number] => [left + shift, right + shift])
  return { ...hit, snippet: before + hit.snippet.slice(from, to).toWellFormed() + after, matches }
}

function wordStart(text: string, at: number): number {
  const space = text.lastIndexOf(' ', at)
  return at === 0 || space < 0 ? 0 : space + 1
}

function snippet({ snippet: text, matches }: SearchHit, paint: Paint): string {
  const show = (part: string): string => escapeNodeName(part, text)
  let shown = isAnswerLine(text) ? '\\' : ''
  let at = 0
  for (const [start, end] of matches) {
    shown += show(text.slice(at, start)) + paint.match(show(text.slice(start, end)))
    at = end
  }
  return shown + show(text.slice(at))
}

/** How many more there are, what was searched for unless it equals `query`, and what was not valid as written. */
export function closingLines(rest: Rest, searched: Searched, query = ''): string[] {
  const notes = searched.notes.map((note) => `note: ${printable(note)}`)
  if (searched.nodes === 0) return ['the memory is empty; compile a folder or write a note', ...notes]
  return isAnything(searched)
    ? [`${more(rest, searched)}${describeSearch(searched, query)}`, ...notes]
    : notes
}

function isAnything({ words, dropped, missing, filters }: Searched): boolean {
  return words.length + dropped.length + missing.length + Object.keys(filters).length > 0
}

/** Without `next` it does not say how to continue. */
type Rest = Pick<SearchAnswer, 'leftOut'> & { next?: SearchAnswer['next'] }

function more({ leftOut, next }: Rest, { complete }: Searched): string {
  if (leftOut === 0) return ''
  const how = next === null ? ': narrow the query' : next === undefined ? '' : `: offset=${next}`
  return `… ${complete ? '' : 'at least '}${leftOut} more left out${how}; `
}

function describeSearch({ nodes, words, dropped, missing, filters }: Searched, query: string): string {
  const asked = sorted(query.split(/\s+/).filter(Boolean))
  const isAsAsked = words.length === 0 || sorted([...words, ...missing, ...dropped]) === asked
  const names = filterNames(filters)
  const parts = [
    `searched ${plural(nodes, 'node')}${isAsAsked ? '' : ` for ${list(words)}`}`,
    ...(missing.length > 0 ? [`nowhere: ${list(missing)}`] : []),
    ...(dropped.length > 0 ? [`too common: ${list(dropped)}`] : []),
    ...(names.length > 0 ? [`filtered by ${names.join(', ')}`] : []),
  ]
  return parts.join('; ')
}

/** `tag, NOT path`: each once. */
function filterNames({ any = [], none = [], ...plain }: Filters): string[] {
  const names = Object.keys(plain).map((name) => ASKED[name as keyof typeof ASKED])
  const negated = none.flatMap(filterNames).map((name) => `NOT ${name}`)
  return [...new Set([...names, ...any.flat().flatMap(filterNames), ...negated])]
}

/** The order of words does not matter. */
function sorted(words: readonly string[]): string {
  return words
    .map((word) => word.toLowerCase())
    .sort()
    .join(' ')
}

function list(words: readonly string[]): string {
  return cutList(words, LIST_BYTES).map(printable).join(', ')
}

/** How a score was computed, one line per word. */
function explainLines({ score, explain }: SearchHit, paint: Paint): string[] {
  if (!explain) return []
  const { parts, relevance, prior } = explain
  const sum = `${score.toFixed(2)} = relevance ${relevance.toFixed(2)} × heat ${prior.toFixed(2)}`
  const lines = parts.map(
    (part) =>
      `${list([part.unit])}: ${part.score.toFixed(2)}, rarity ${part.idf.toFixed(2)}, ${fieldsOf(part)}`,
  )
  return [`score ${sum}`, ...lines].map((line) => paint.dim(`    ${line}`))
}

function fieldsOf({ label, text, headings, sibling }: Part): string {
  const fields = [
    label ? 'label' : '',
    text ? 'text' : '',
    headings ? 'heading above' : '',
    sibling > 0 ? siblingAt(sibling) : '',
  ].filter((field) => field !== '')
  return fields.join(', ') || 'not here'
}

function siblingAt(place: number): string {
  if (place > 2) return `sibling ${place} places off`
  return place === 1 ? 'next sibling' : 'next sibling but one'
}
