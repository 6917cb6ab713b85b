import { extname } from 'node:path'
import type { Block } from '../core/model.ts'
import type { ParseOptions } from './parse/parse-options.ts'

export type { ParseOptions }

/** Changes whenever a parser makes something else of the same text: every file is then compiled again. */
export const PARSER_REVISION = 5

/** The tree of a text. Throws ParseError when it cannot be read as its format. */
export type ParseFormat = (text: string, options: ParseOptions) => Block[]

export interface Parser {
  /** Part of a file's digest: the same text under another extension may be something else. */
  name: string
  /** A larger file is not read: parsing takes 20 to 30 times the file in memory, in any format. */
  maxBytes: number
  /** Loads its code when the first such file is met. */
  load: () => Promise<ParseFormat>
}

const MIB = 1024 * 1024

const MARKDOWN: Parser = {
  name: 'markdown',
  maxBytes: 32 * MIB,
  load: async () => (await import('./parse/markdown/markdown.ts')).parseMarkdown,
}

const TEXT: Parser = {
  name: 'text',
  maxBytes: 32 * MIB,
  load: async () => (await import('./parse/markdown/text.ts')).parseText,
}
const HTML: Parser = {
  name: 'html',
  maxBytes: 16 * MIB,
  load: async () => (await import('./parse/html/html.ts')).parseHtml,
}
const YAML: Parser = {
  name: 'yaml',
  maxBytes: 16 * MIB,
  load: async () => (await import('./parse/data/yaml-file.ts')).parseYaml,
}
const JSON_VALUE: Parser = {
  name: 'json',
  maxBytes: 16 * MIB,
  load: async () => (await import('./parse/data/json.ts')).parseJson,
}
const JSON_LINES: Parser = {
  name: 'jsonl',
  maxBytes: 32 * MIB,
  load: async () => (await import('./parse/data/json.ts')).parseJsonLines,
}
const TOON: Parser = {
  name: 'toon',
  maxBytes: 16 * MIB,
  load: async () => (await import('./parse/data/toon.ts')).parseToon,
}

/** Parsers by extension. */
export const PARSERS: Readonly<Record<string, Parser>> = {
  '.md': MARKDOWN,
  '.markdown': MARKDOWN,
  // Its JSX is raw HTML to Markdown, and stays as written.
  '.mdx': MARKDOWN,
  '.txt': TEXT,
  '.text': TEXT,
  '.html': HTML,
  '.htm': HTML,
  '.yml': YAML,
  '.yaml': YAML,
  '.json': JSON_VALUE,
  '.jsonl': JSON_LINES,
  '.ndjson': JSON_LINES,
  '.toon': TOON,
}

/** In lower case, with its dot; empty when there is none. */
export function extensionOf(path: string): string {
  return extname(path).toLowerCase()
}

export function findParser(path: string): Parser | undefined {
  const extension = extensionOf(path)
  return Object.hasOwn(PARSERS, extension) ? PARSERS[extension] : undefined
}
