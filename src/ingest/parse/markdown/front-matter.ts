import { parse as parseToml, TomlError } from 'smol-toml'
import { labelOf, preambleLabel } from '../../../core/label.ts'
import type { Block } from '../../../core/model.ts'
import { ParseError } from '../../../core/parse-error.ts'
import { preambleBlocks } from '../data/structured.ts'
import { loadYaml } from '../data/yaml.ts'
import type { ParseOptions } from '../parse-options.ts'

export interface FrontMatter {
  language: 'yaml' | 'toml'
  source: string
}

const DELIMITERS = [
  { line: '---', language: 'yaml' },
  { line: '+++', language: 'toml' },
] as const

/** Its first line is the delimiter, so an error on line 1 of the front matter is on line 2 of the file. */
const FIRST_LINE = 2
const MAX_LENGTH = 1024 * 1024
const MAX_TOML_DEPTH = 100

/**
 * Takes the front matter off a text with LF line ends and no BOM. A block that is not closed by a clean delimiter
 * line, or holds no line at all, is ordinary Markdown.
 */
export function splitFrontMatter(text: string): { frontMatter: FrontMatter | null; body: string } {
  for (const { line, language } of DELIMITERS) {
    if (!text.startsWith(`${line}\n`)) continue
    const start = line.length + 1
    const close = text.indexOf(`\n${line}`, start)
    const end = close + 1 + line.length
    if (close < 0 || (end < text.length && text[end] !== '\n')) break
    return { frontMatter: { language, source: text.slice(start, close) }, body: text.slice(end + 1) }
  }
  return { frontMatter: null, body: text }
}

/** As `frontMatterBlocks`; invalid front matter becomes one preamble as written, and a warning. */
export function readableFrontMatter(frontMatter: FrontMatter, options: ParseOptions): Block[] {
  try {
    return frontMatterBlocks(frontMatter, options)
  } catch (error) {
    if (!(error instanceof ParseError)) throw error
    options.warn?.({ line: error.line, reason: `${error.reason}; the front matter is kept as text` })
    return writtenBlocks(frontMatter.source)
  }
}

function writtenBlocks(source: string): Block[] {
  const text = source.trim()
  return text === '' ? [] : [{ type: 'preamble', format: 'plain', text, children: [] }]
}

/** At most one preamble, with large maps and arrays of a YAML one below it. Throws ParseError. */
export function frontMatterBlocks({ language, source }: FrontMatter, options: ParseOptions): Block[] {
  if (source.length > MAX_LENGTH) {
    throw new ParseError(`front matter of ${source.length} characters; at most ${MAX_LENGTH} are read`, 1)
  }
  if (language === 'toml') return tomlBlocks(source, options)
  return preambleBlocks(loadYaml(source, { firstLine: FIRST_LINE }), options)
}

/** Kept as written: TOML is already as short as our rendering. */
function tomlBlocks(source: string, { redact }: ParseOptions): Block[] {
  const keys = tomlKeys(source).map((key) => redact(key))
  const text = source.trim()
  if (text === '') return []
  const block: Block = { type: 'preamble', format: 'plain', text, children: [] }
  const label = preambleLabel(keys)
  if (labelOf(block) !== label) block.label = label
  return [block]
}

function tomlKeys(source: string): string[] {
  try {
    // Big integers are enabled only because they would be an error otherwise.
    return Object.keys(parseToml(source, { maxDepth: MAX_TOML_DEPTH, integersAsBigInt: true }))
  } catch (error) {
    if (!(error instanceof TomlError)) throw new ParseError('invalid TOML', FIRST_LINE)
    // The message continues with a drawing of the line; its first line is the reason.
    const [reason = 'invalid TOML'] = error.message.split('\n')
    throw new ParseError(reason, error.line + FIRST_LINE - 1)
  }
}
