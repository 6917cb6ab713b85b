import { printableJson } from '../util/text/printable.ts'
import { utf8Length } from './tokens.ts'

/** Characters of a value as JSON, as an agent reads it. */
export function jsonLength(value: unknown): number {
  return printableJson(JSON.stringify(value)).length
}

/** The beginning of a text that has at most `maxLength` characters as JSON, without the quotes, or as `lengthOf` counts them. */
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

/** How many of `items`, from the first on, a list of JSON has room for; the first in any case. */
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

/** What a list of keys shows of one. */
interface Listed {
  value: string | null
  tags: string[]
  value_type?: string
}

/** As many of `items` as there is room for. One that is too long for any list is there without its value, and without its tags if need be. */
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
  // As a text that no list carries is shown.
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
