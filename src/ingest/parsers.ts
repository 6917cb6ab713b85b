import { extname } from 'node:path'
import type { Block } from '../core/model.ts'

/** Changes whenever a parser makes something else of the same text: every file is then compiled again. */
export const PARSER_REVISION = 1

/** The tree of a text. Throws ParseError when it cannot be read as its format. */
export type ParseFormat = (text: string, options: { maxNodeTokens: number }) => Block[]

export interface Parser {
  /** Part of a file's digest: the same text under another extension may be something else. */
  name: string
  /** Loads its code when the first such file is met. */
  load: () => Promise<ParseFormat>
}

const MARKDOWN: Parser = {
  name: 'markdown',
  load: async () => (await import('./parse/markdown.ts')).parseMarkdown,
}

/** Parsers by extension. */
export const PARSERS: Readonly<Record<string, Parser>> = {
  '.md': MARKDOWN,
  '.markdown': MARKDOWN,
}

/** In lower case, with its dot; empty when there is none. */
export function extensionOf(path: string): string {
  return extname(path).toLowerCase()
}

export function findParser(path: string): Parser | undefined {
  const extension = extensionOf(path)
  return Object.hasOwn(PARSERS, extension) ? PARSERS[extension] : undefined
}
