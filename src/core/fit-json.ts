import { printableJson } from '../util/text/printable.ts'
import { utf8Length } from './tokens.ts'

/** The length of a value as JSON, in characters, as an agent reads it. */
export function jsonLength(value: unknown): number {
  return printableJson(JSON.stringify(value)).length
}

/**
 * The longest beginning of a text with at most `maxLength` characters as JSON, without the quotes, or as counted by
 * `lengthOf`.
 */
export function beginningWithin(
  text: string,
  maxLength: number,
  lengthOf = (character: string): number => jsonLength(character) - 2,
): string {
  let left = maxLength
  let end = 0
  for (const character of text) {
    left -= lengthOf(character)
    if (left < 0) break
    end += character.length
  }
  return text.slice(0, end)
}

/** How many of `items`, from the first, fit in a JSON list; at least one. */
export function countFitting(items: readonly unknown[], maxLength: number): number {
  let left = maxLength
  let count = 0
  for (const item of items) {
    left -= jsonLength(item) + 1
    if (left < 0 && count > 0) break
    count++
  }
  return count
}

/** An entry in a list of keys. */
interface Listed {
  value: string | null
  tags: string[]
  value_type?: string
}

/** As many of `items` as fit. An item that is too long for any list loses its value, and its tags if necessary. */
export function fitListed<T extends Listed>(items: readonly T[], maxLength: number): T[] {
  const kept: T[] = []
  let left = maxLength
  for (const item of items) {
    const shown = kept.length === 0 ? shortened(item, left) : item
    left -= jsonLength(shown) + 1
    if (left < 0 && kept.length > 0) break
    kept.push(shown)
  }
  return kept
}

function shortened<T extends Listed>(item: T, maxLength: number): T {
  if (jsonLength(item) < maxLength || item.value === null) return withTags(item, maxLength)
  // Shown like a text that is too large for lists.
  return withTags(
    { ...item, value: '', value_type: 'text-large', size_bytes: utf8Length(item.value) },
    maxLength,
  )
}

function withTags<T extends Listed>(item: T, maxLength: number): T {
  let { tags } = item
  while (tags.length > 0 && jsonLength({ ...item, tags }) >= maxLength) tags = tags.slice(0, -1)
  return tags === item.tags ? item : { ...item, tags, tags_left_out: item.tags.length - tags.length }
}
