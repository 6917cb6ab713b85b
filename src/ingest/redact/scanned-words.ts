import type { CommandWord } from './command-line.ts'
import { COMMAND_WORDS } from './command-words.ts'
import { type Entry, PrefixIndex } from './prefix-index.ts'
import type { Scan } from './scan.ts'
import { SENTENCE_WORDS } from './sentence.ts'
import { TOKEN_KINDS, type TokenKind } from './token-kinds.ts'

/** What a text is searched for by how it begins. One of these; every word has all fields, which is quicker to read. */
export interface Word {
  token: TokenKind | undefined
  command: CommandWord | undefined
  sentence: number
}
const NO_WORD: Word = { token: undefined, command: undefined, sentence: 0 }
export const WORDS = new PrefixIndex<Word>([
  ...TOKEN_KINDS.flatMap((token) =>
    token.prefixes.map((prefix) => ({ prefix, found: { ...NO_WORD, token } })),
  ),
  ...COMMAND_WORDS.map(({ prefix, found: command }) => ({ prefix, found: { ...NO_WORD, command } })),
  ...SENTENCE_WORDS.map(({ prefix, found: sentence }) => ({ prefix, found: { ...NO_WORD, sentence } })),
])

/** Whether the word is at `at`, where its first two characters are. */
export function isWordAt(scan: Scan, { prefix, third, last }: Entry<Word>, at: number): boolean {
  if (third === 0) return true
  if (third !== scan.code(at + 2) || last !== scan.code(at + prefix.length - 1)) return false
  return prefix.length === 3 || scan.text.startsWith(prefix, at)
}
