import { cutWord, fold, MAX_WORD } from './fold.ts'

/** Whatever is neither letter nor digit becomes one `+`, which the index takes as part of a word. */
const BETWEEN = /[^\p{L}\p{M}\p{N}]+/u

/** `#Rate-limit` or `Rate-limit` as the index has it: `#rate+limit`. `#` alone when nothing of it can be found. */
export function tagWord(tag: string): string {
  return foldedTagWord(fold(tag))
}

export function foldedTagWord(folded: string): string {
  return cutWord(`#${folded.split(BETWEEN).filter(Boolean).join('+')}`)
}

/** A tag and those above it, as the index has them: `todo/urgent` is a `todo` too. */
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
/** A line and those that belong to it: indented ones and items. */
const LINES = /[^\n]*(?:\n(?:[ \t]+|-(?![^ \t\n]))[^\n]*)*/y
/** Not in quotes, where it begins a tag. */
const COMMENT = /(^|[\s,])#[^"'\n]*$/gm

/** A list of tags that was too long to stay in the front matter, and is a node below it. */
const LONG_LIST = /^["']?tags?["']?\[\d+\]/i

/** The tags that a node of front matter gives to its document. */
export function frontTags(text: string, type: string): string[] {
  return type === 'preamble' || (type === 'list' && LONG_LIST.test(text)) ? preambleTags(text) : []
}

/** What front matter, or a list that was too long to stay in it, says under `tags`; as written there. */
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
