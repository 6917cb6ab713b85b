import { escapeNodeName } from '../answer-lines.ts'
import { utf8Length } from '../tokens.ts'
import { cutList, cutUntil, fitting, mostBytes } from './fit.ts'
import { PLAIN } from './paint.ts'
import type { SearchAnswer, Searched, SearchHit } from './search-model.ts'
import { closingLines, hitLines, LIST_BYTES, searchText } from './search-text.ts'

/** For the label of a cut hit, before its path gets the remaining room. */
const LABEL_BYTES = 24
/** An upper bound for the number of lines below the hits, without notes. */
const CLOSING_LINES = 4
/** How many filters are named if not all fit. */
const MOST_FILTERS = 2

/**
 * Removes hits from the end until the text of the answer fits into `room` bytes. The best one stays, cut if necessary,
 * and the lines below take at most half.
 */
export function fitSearch(answer: SearchAnswer, room: number, offset = 0): SearchAnswer {
  if (fits(answer, room)) return answer
  const { hits, leftOut } = answer
  const nextAfter = (kept: number): number | null => (kept < hits.length ? offset + kept : answer.next)
  const leaving = (kept: number): number => leftOut + hits.length - kept
  const closing = (kept: number, said: Searched): number =>
    utf8Length(closingLines({ leftOut: leaving(kept), next: nextAfter(kept) }, said, answer.query).join('\n'))
  const searched = shortenSearched(answer.searched, (said) => closing(0, said) <= room / 2)
  const blocks = hits.map((hit, at) => hitLines(hit, at, PLAIN).join('\n'))
  const kept = fitting(blocks, room, (count) => closing(count, searched))
  const fitted = {
    ...answer,
    hits: hits.slice(0, kept),
    leftOut: leaving(kept),
    next: nextAfter(kept),
    searched,
  }
  const [best] = hits
  return kept > 0 || !best
    ? fitted
    : cutBest({ ...fitted, leftOut: leaving(1), next: nextAfter(1) }, best, room)
}

function fits(answer: SearchAnswer, room: number): boolean {
  return mostOf(answer) <= room || utf8Length(searchText(answer)) <= room
}

function mostOf({ hits, searched }: SearchAnswer): number {
  const texts = hits.flatMap(({ label, path, headingPath, snippet }) => [
    label,
    path,
    headingPath.join(' › '),
    snippet,
  ])
  const explained = hits.reduce((sum, { explain }) => sum + 1 + (explain?.parts.length ?? 0), 0)
  return mostBytes(
    [...texts, ...searched.notes],
    hits.length + explained + searched.notes.length + CLOSING_LINES,
  )
}

/** The most detailed description of the search for which `isGood` holds. */
function shortenSearched(searched: Searched, isGood: (said: Searched) => boolean): Searched {
  const notes = searched.notes.slice(0, 1).map(() => '…')
  const cut = (said: Searched, bytes: number): Searched => ({
    ...said,
    words: cutList(said.words, bytes),
    missing: cutList(said.missing, bytes),
    dropped: cutList(said.dropped, bytes),
  })
  const shorter = [1, 2, 4, 8, Number.POSITIVE_INFINITY].map((part) =>
    cut({ ...searched, notes }, LIST_BYTES / part),
  )
  const least = { ...searched, notes: [], words: [], missing: [], dropped: [] }
  const filters = Object.fromEntries(Object.entries(searched.filters).slice(0, MOST_FILTERS))
  return [searched, ...shorter, least].find(isGood) ?? { ...least, filters }
}

/**
 * First the explanation is dropped, then the snippet is shortened, then the headings are dropped, then the path and the
 * label are shortened.
 */
function cutBest(answer: SearchAnswer, best: SearchHit, room: number): SearchAnswer {
  const having = (hit: SearchHit): SearchAnswer => ({ ...answer, hits: [{ ...hit, cut: true }] })
  const isGood = (hit: SearchHit): boolean => fits(having(hit), room)
  const { explain: _, ...plain } = best
  const bare = { ...plain, headingPath: [] }
  for (const hit of [plain, bare]) {
    if (isGood(hit)) return having(hit)
    const hasSnippet = hit.snippet !== '' && hit.snippet !== hit.label
    if (hasSnippet && isGood(withSnippet(hit, '…')))
      return having(
        withSnippet(
          hit,
          cutUntil(hit.snippet, (text) => isGood(withSnippet(hit, text))),
        ),
      )
  }
  return having(onOneLine(withSnippet(bare, ''), isGood))
}

function withSnippet(hit: SearchHit, snippet: string): SearchHit {
  const kept = snippet === hit.snippet ? snippet.length : snippet.length - 1
  return { ...hit, snippet, matches: hit.matches.filter(([, end]) => end <= kept) }
}

function onOneLine(hit: SearchHit, isGood: (hit: SearchHit) => boolean): SearchHit {
  const short = cutUntil(hit.label, (label) => utf8Length(escapeNodeName(label)) <= LABEL_BYTES)
  const path = cutUntil(hit.path, (shown) => isGood({ ...hit, label: short, path: shown }))
  return { ...hit, path, label: cutUntil(hit.label, (label) => isGood({ ...hit, path, label })) }
}
