import { MAX_BLOCKS } from '../../core/doors/text-limit.ts'
import type { ParseText, PrepareTools } from '../../core/prepare.ts'
import type { RedactionSettings, Redactor } from '../../ingest/redact/redactor.ts'

/** Plain data, from which a thread makes the same tools for itself. */
export interface PrepareSettings {
  redaction: RedactionSettings
  maxNodeTokens: number
}

/** Loads the parser: a server that is only read from does without. */
export async function loadPrepareTools(
  { redact, findKeys }: Pick<Redactor, 'redact' | 'findKeys'>,
  { maxNodeTokens }: Pick<PrepareSettings, 'maxNodeTokens'>,
): Promise<PrepareTools> {
  const { parseNote, parseAnyNote } = await import('../../ingest/parse/markdown/note.ts')
  const options = { maxNodeTokens, redact, findKeys, maxBlocks: MAX_BLOCKS }
  const withLevels =
    (parse: typeof parseNote): ParseText =>
    (text, levels) =>
      parse(text, levels ? { ...options, levels } : options)
  return { redact, parse: withLevels(parseNote), parseWhole: withLevels(parseAnyNote) }
}
