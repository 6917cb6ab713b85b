import { printable } from '../../util/text/printable.ts'
import { utf8End, utf8Length } from '../tokens.ts'

/**
 * How many of `blocks`, from the first on, fit together with what `around` adds (in UTF-8 bytes) for that many blocks.
 * Blocks stand on lines of their own, and none is made after the first that has no room.
 */
export function fitting(blocks: Iterable<string>, room: number, around: (kept: number) => number): number {
  let bytes = 0
  let count = 0
  let most = 0
  for (const block of blocks) {
    bytes += utf8Length(block) + 1
    if (bytes > room) break
    if (bytes + around(++count) <= room) most = count
  }
  return most
}

/**
 * The most that texts and a number of our own lines take, without laying them out: a character takes no more than eight bytes, as in
 * `\u{202e}`, and a line of ours has ids, figures and a few words.
 */
export function mostBytes(texts: readonly string[], lines: number): number {
  return 512 * lines + 8 * texts.reduce((sum, text) => sum + text.length, 0)
}

/** The longest beginning of a text for which `isGood` holds, marked as cut. Longer ones must not be better. */
export function cutUntil(text: string, isGood: (cut: string) => boolean): string {
  // The mark takes room too: a little less than the whole may be longer than it.
  if (isGood(text)) return text
  let low = 0
  let high = utf8Length(text)
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (isGood(cutAt(text, middle))) low = middle
    else high = middle - 1
  }
  return cutAt(text, low)
}

function cutAt(text: string, bytes: number): string {
  const end = utf8End(text, 0, bytes)
  return end === text.length ? text : `${text.slice(0, end).trimEnd()}…`
}

/** As many words, from the first on, as take no more than `bytes` when they are shown; the last is marked where it is cut. */
export function cutList(words: readonly string[], bytes: number): string[] {
  const kept: string[] = []
  let room = bytes
  for (const word of words) {
    const shown = cutUntil(word, (cut) => utf8Length(printable(cut)) <= room)
    kept.push(shown)
    if (shown !== word) break
    room -= utf8Length(printable(word)) + 2
  }
  return kept
}
