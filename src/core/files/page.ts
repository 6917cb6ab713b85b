import { characterAt, characterEnd } from '../../util/text/characters.ts'
import { printableJson } from '../../util/text/printable.ts'
import { beginningWithin, jsonLength } from '../fit-json.ts'
import type { ListedEntry } from './list.ts'

/** The requested part of a file or a folder: characters or entries. */
export interface PageInput {
  /** Where to begin. Default: 0. */
  offset?: number
  /** The maximum to return. Default: as much as fits. */
  limit?: number
}

export interface ContentPage {
  content: string
  /** Length of the whole file, if this is a part of it. */
  characters?: number
  /** Start of the next part; missing at the end. */
  next_offset?: number
}

export interface EntriesPage {
  entries: ListedEntry[]
  /** Size of the whole folder, if this is a part of it. */
  count?: number
  next_offset?: number
}

/** The quoted length of the other members of a page. */
const AROUND = 100

/** A whole file, or the requested part, or the part that fits into `room`. */
export function contentPage(text: string, { offset = 0, limit }: PageInput, room: number): ContentPage {
  const start = characterAt(text, offset)
  const end = limit === undefined ? fittingEnd(text, start, room - AROUND) : characterAt(text, start + limit)
  const content = text.slice(start, Math.max(end, characterEnd(text, start)))
  if (content === text) return { content }
  return { content, characters: text.length, ...nextOffset(start + content.length, text.length) }
}

/** A whole folder, or the requested part, or the part that fits into `room`. */
export function entriesPage(
  all: readonly ListedEntry[],
  { offset = 0, limit }: PageInput,
  room: number,
): EntriesPage {
  const rest = all.slice(offset)
  const entries = rest.slice(0, limit ?? countWithin(rest, room - AROUND))
  if (entries.length === all.length) return { entries }
  return { entries, count: all.length, ...nextOffset(offset + entries.length, all.length) }
}

function nextOffset(end: number, total: number): { next_offset?: number } {
  return end < total ? { next_offset: end } : {}
}

/** Length of the JSON of a value inside other JSON: some programs show their model the whole result as JSON. */
export function quotedLength(value: unknown): number {
  return jsonLength(printableJson(JSON.stringify(value)))
}

const QUOTES = quotedLength('')

/** After the last whole word that fits, if there is one. */
function fittingEnd(text: string, start: number, room: number): number {
  const rest = text.slice(start, start + Math.max(room, 0))
  const fitting = beginningWithin(rest, room, (character) => quotedLength(character) - QUOTES)
  const end = start + fitting.length
  if (end === text.length) return end
  const word = fitting.search(/\S*$/)
  return word > fitting.length / 2 ? start + word : end
}

/** At least one entry. */
function countWithin(entries: readonly ListedEntry[], room: number): number {
  let left = room
  const end = entries.findIndex((entry) => {
    left -= quotedLength(entry) - 1
    return left < 0
  })
  return end < 0 ? entries.length : Math.max(end, 1)
}
