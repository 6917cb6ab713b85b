import type { Block } from '../../core/model.ts'
import type { Redact } from '../../core/redact.ts'

export type FindKeys = (text: string) => readonly { kind: string; start: number; end: number }[]

export interface ParseOptions {
  /** No block is longer than this, by `estimateTokens`; longer ones are split. */
  maxNodeTokens: number
  /** For every text, before it is split: no secret is cut in two. */
  redact: Redact
  /** Private keys, in order: of all secrets they alone go over several blocks of a text. */
  findKeys: FindKeys
  /** Filled with the level of each heading (`#` is 1), for callers that append to a text. */
  levels?: Map<Block, number>
  /** Called for a text that is invalid in its format and is kept as plain text. The reason contains no content of the file. */
  warn?: (problem: { line: number | null; reason: string }) => void
  /** A Markdown text of more blocks is refused with TooManyBlocks as early as possible. Default: no limit. */
  maxBlocks?: number
}
