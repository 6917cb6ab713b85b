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
  /** Filled with how deep each heading is (`#` is 1), for who puts more behind a text. */
  levels?: Map<Block, number>
  /** Called for what cannot be read as its format and is kept as text. No content of the file in the reason. */
  warn?: (problem: { line: number | null; reason: string }) => void
  /** A Markdown text of more blocks is refused with TooManyBlocks as soon as it is clear that it has more. Default: any number. */
  maxBlocks?: number
}
