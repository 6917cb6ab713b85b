import type { ParseOptions } from '../../src/ingest/parse/parse-options.ts'

/** For tests: room for a thousand tokens, and no secrets. */
export function parseOptions(options: Partial<ParseOptions> = {}): ParseOptions {
  return { maxNodeTokens: 1000, redact: (text) => text, findKeys: () => [], ...options }
}
