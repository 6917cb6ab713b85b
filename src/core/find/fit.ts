import { printable } from '../../util/text/printable.ts'
import { utf8End, utf8Length } from '../tokens.ts'

/**
 * How many of `blocks`, from the first, fit together with the bytes that `around` adds for that many. Each block is on
 * lines of its own; blocks after the first that does not fit are not generated.
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
 * An upper bound for the size of texts and a number of our lines, without formatting them: a character takes at most
 * eight bytes, as in `\u{202e}`, and our lines have only ids, numbers and a few words.
 */
export function mostBytes(texts: readonly string[], lines: number): number {
  return 512 * lines + 8 * texts.reduce((sum, text) => sum + text.length, 0)
}

/** The longest beginning of a text for which `isGood` holds, marked as cut. `isGood` must be monotonic. */
export function cutUntil(text: string, isGood: (cut: string) => boolean): string {
  // The mark takes room: a cut just before the end may be longer than the whole.
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

/** As many words, from the first, as fit into `bytes` when shown; a cut word is marked. */
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
