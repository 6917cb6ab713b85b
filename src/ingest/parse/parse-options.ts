import type { Redact } from '../../core/redact.ts'

export interface ParseOptions {
  /** No block is longer than this, by `estimateTokens`; longer ones are split. */
  maxNodeTokens: number
  /** For every text, before it is split: no secret is cut in two. */
  redact: Redact
  /** The same for private keys only: of all secrets they alone go over several blocks of a text. */
  redactKeys: Redact
}
