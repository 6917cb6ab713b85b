import { isInRun, kindAt } from '../find/query/character-kinds.ts'
import { fold } from '../find/query/fold.ts'
import type { AnswerHit, Expected } from './model.ts'

/** The place of the first hit that satisfies an item, from 1; undefined if none does. */
export function placeOf(item: Expected, hits: readonly AnswerHit[]): number | undefined {
  const at = hits.findIndex((hit) => satisfies(item, hit))
  return at < 0 ? undefined : at + 1
}

export function satisfies({ kind, value }: Expected, hit: AnswerHit): boolean {
  if (kind === 'node') return hit.id === value
  if (kind === 'path') return value.endsWith('/') ? hit.path.startsWith(value) : hit.path === value
  return [hit.text, hit.label, hit.snippet].some((text) => containsWords(text, value))
}

/**
 * Whether a text contains a word or phrase as whole words: "5 days" is not in "15 days". Case, accents and the kind of blanks
 * do not matter.
 */
export function containsWords(text: string, words: string): boolean {
  const [within, wanted] = [comparable(text), comparable(words)]
  for (let at = within.indexOf(wanted); at >= 0; at = within.indexOf(wanted, at + 1))
    if (isBoundary(within, at) && isBoundary(within, at + wanted.length)) return true
  return false
}

function comparable(text: string): string {
  return fold(text).replace(/\s+/g, ' ').trim()
}

/** Not between two characters of one word. */
function isBoundary(text: string, at: number): boolean {
  if (at <= 0 || at >= text.length) return true
  return !(isInRun(kindAt(text, startOf(text, at - 1))) && isInRun(kindAt(text, at)))
}

/** The start of the character that the code unit belongs to. */
function startOf(text: string, at: number): number {
  return at > 0 && (text.charCodeAt(at) & 0xfc00) === 0xdc00 ? at - 1 : at
}
