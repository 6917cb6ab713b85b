import { cutWord, fold, MAX_WORD } from './fold.ts'

/** Everything except letters and digits becomes one `+`, which the index treats as part of a word. */
const BETWEEN = /[^\p{L}\p{M}\p{N}]+/u

/** `#Rate-limit` or `Rate-limit` as indexed: `#rate+limit`. Only `#` if nothing of it is searchable. */
export function tagWord(tag: string): string {
  return foldedTagWord(fold(tag))
}

export function foldedTagWord(folded: string): string {
  return cutWord(`#${folded.split(BETWEEN).filter(Boolean).join('+')}`)
}

/** A tag and its parents, as indexed: `todo/urgent` is also a `todo`. */
export function tagWords(tag: string): string[] {
  return foldedTagWords(fold(tag))
}

export function foldedTagWords(folded: string): string[] {
  const levels = folded.slice(0, MAX_WORD).split('/')
  const above = levels.slice(0, -1).map((_, at) => foldedTagWord(levels.slice(0, at + 1).join('/')))
  return [...new Set([...above, foldedTagWord(folded)])].filter((word) => word !== '#')
}

/** `tags: a, b`, `tags = ["a", "b"]` (TOML), `tags[2]: a,b` (TOON), or `tags:` with items below. */
const KEY = /^["']?tags?["']?(?:\[\d+\])?[ \t]*[:=][ \t]*/gim
const ARRAY = /\[([^\]]*)\]?/y
/** A line and its continuation: indented lines and items. */
const LINES = /[^\n]*(?:\n(?:[ \t]+|-(?![^ \t\n]))[^\n]*)*/y
/** Not in quotes, where `#` begins a tag. */
const COMMENT = /(^|[\s,])#[^"'\n]*$/gm

/** A list of tags that was too long for the front matter node and became a node below it. */
const LONG_LIST = /^["']?tags?["']?\[\d+\]/i

/** The tags that a front matter node gives to its document. */
export function frontTags(text: string, type: string): string[] {
  return type === 'preamble' || (type === 'list' && LONG_LIST.test(text)) ? preambleTags(text) : []
}

/** The values under `tags` in front matter, or in a list that was split off from it; as written. */
export function preambleTags(text: string): string[] {
  const tags: string[] = []
  for (const { 0: key, index } of text.matchAll(KEY)) tags.push(...tagsAt(text, index + key.length))
  return [...new Set(tags)]
}

function tagsAt(text: string, at: number): string[] {
  return split(text, at)
    .map((part) => part.trim().replace(/^(?:-\s+)?["']?|["']$/g, ''))
    .filter((part) => !/:\s/.test(part) && tagWord(part) !== '#')
}

function split(text: string, at: number): string[] {
  ARRAY.lastIndex = at
  const [, array] = ARRAY.exec(text) ?? []
  if (array !== undefined) return array.replace(COMMENT, '$1').split(',')
  LINES.lastIndex = at
  const [lines = ''] = LINES.exec(text) ?? []
  if (lines.includes('\n')) return lines.split('\n')
  return lines.split(lines.includes(',') ? ',' : /\s+/)
}
