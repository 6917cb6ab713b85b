import type { CommandWord } from './command-line.ts'
import { COMMAND_WORDS } from './command-words.ts'
import { SENTENCE_WORDS } from './sentence.ts'
import { isSpace } from './text/chars.ts'
import { type Entry, PrefixIndex } from './text/prefix-index.ts'
import type { Scan } from './text/scan.ts'
import { TOKEN_KINDS, type TokenKind } from './token-kinds.ts'

/** A word to search for by its beginning. One of these; every word has all fields, which is faster to read. */
export interface Word {
  token: TokenKind | undefined
  command: CommandWord | undefined
  sentence: number
}
const NO_WORD: Word = { token: undefined, command: undefined, sentence: 0 }
export const WORDS = new PrefixIndex<Word>([
  ...TOKEN_KINDS.flatMap((token) =>
    token.prefixes.map((prefix) => ({ prefix, isApart: false, found: { ...NO_WORD, token } })),
  ),
  ...COMMAND_WORDS.map(({ prefix, found: command }) => ({
    prefix,
    isApart: command.read === undefined,
    found: { ...NO_WORD, command },
  })),
  ...SENTENCE_WORDS.map(({ prefix, found: sentence }) => ({
    prefix,
    isApart: true,
    found: { ...NO_WORD, sentence },
  })),
])

/** Whether the word is at `at`, which has its first two characters, and `third` after them. Cheap checks come first. */
export function isWordAt(scan: Scan, entry: Entry<Word>, at: number, third: number): boolean {
  if (entry.third !== third && entry.third !== 0) return false
  const end = at + entry.length
  if (entry.isApart && !isSpace(scan.code(end))) return false
  if (entry.length <= 3) return true
  return entry.last === scan.code(end - 1) && scan.text.startsWith(entry.prefix, at)
}
