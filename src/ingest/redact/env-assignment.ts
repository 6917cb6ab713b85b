import { afterEscape } from './escapes.ts'
import type { Hit } from './hit.ts'

const NAME = new RegExp(
  `${afterEscape('[A-Za-z0-9_]')}[A-Z_][A-Z0-9_]{0,200}(?:TOKEN|KEY|SECRET|PASSWORD)(?=[ \\t:?+=])`,
  'g',
)
/** As in text, as within a quoted text, and as markup writes them. */
const DOUBLE = '&(?:quot|#34|#x22);'
const SINGLE = '&(?:apos|#39|#x27);'
const QUOTE = new RegExp(`\\\\?["']|${DOUBLE}|${SINGLE}`, 'y')
/** Not a comparison and not an arrow. Blanks only before a quoted value: `X_KEY = y` is code more often than a secret. */
const EQUALS = new RegExp(`[ \\t]{0,8}[:?+]?=(?![=>~])[ \\t]{0,8}(?=${QUOTE.source})|[:?+]?=(?![=>~])`, 'y')
/** Where a quote is the last of its line or its element, it opens nothing. */
const QUOTE_END = /\n|$|<\//y
/** After a quote that may well close what the assignment stands in: a blank, or the end of a list. */
const DOUBTFUL = /\s|[,;:)\]}]{1,9}(?:["'\s]|$)/y
/** Up to the quote that closes it; what `\"` opened is quoted within a quoted text, and `\"` closes it. */
const QUOTED: Readonly<Record<string, RegExp>> = {
  '"': /(?:\\[^\n]|[^"\\\n])*(?=")/y,
  "'": /[^'\n]*(?=')/y,
  '\\"': /(?:(?!\\")[^\n])*(?=\\")/y,
  "\\'": /(?:(?!\\')[^\n])*(?=\\')/y,
}
const QUOTED_DOUBLE = new RegExp(`(?:(?!${DOUBLE})[^\\n])*(?=${DOUBLE})`, 'y')
const QUOTED_SINGLE = new RegExp(`(?:(?!${SINGLE})[^\\n])*(?=${SINGLE})`, 'y')
const LINE = /[^\n]*/y
/** Up to a blank, a quote that closes what the assignment stands in, or a closing tag. */
const BARE = /(?:[^\s"'`<\\]|<(?!\/)|["'`](?=\w)|\\(?!["'`]))+/y
/** What ends a sentence, a list or a bracket around the assignment. */
const CLOSING = '.,;:)]}>|*'
/** The quotes of a line; an apostrophe is none. */
const QUOTE_OR_LINE = new RegExp(`\\n|(?<!\\w)'|'(?!\\w)|\\\\["']|"|${DOUBLE}|${SINGLE}`, 'g')

/** `NAME=value` where the name says that the value is secret. The name stays. */
export function* findEnvAssignments(text: string): Generator<Omit<Hit, 'kind'>> {
  const quotes = new OpenQuotes(text)
  let done = 0
  for (const { 0: name, index: start } of text.matchAll(NAME)) {
    if (start < done) continue
    const value = valueAfter(text, start, start + name.length, quotes)
    if (!value) continue
    done = value.end
    yield { start, ...value }
  }
}

function valueAfter(text: string, start: number, at: number, quotes: OpenQuotes) {
  const equals = match(EQUALS, text, at)
  if (equals === undefined) return undefined
  const quote = match(QUOTE, text, at + equals.length) ?? ''
  const from = at + equals.length + quote.length
  const isInside = () => quotes.isOpen(quote, start)
  const value = quote === '' ? bareValue(text, from) : quotedValue(text, from, quote, isInside)
  return value === '' ? undefined : { from, end: from + value.length }
}

/** A value whose quote is not closed goes to the end of the line. */
function quotedValue(text: string, from: number, quote: string, isInside: () => boolean): string {
  if (match(QUOTE_END, text, from) !== undefined) return ''
  const quoted = match(closing(quote), text, from)
  if (match(DOUBTFUL, text, from) !== undefined)
    return quoted === undefined || quoted.trim() === '' || isInside() ? '' : quoted
  if (quoted === '' || (quoted === undefined && isInside())) return bareValue(text, from)
  return quoted ?? (match(LINE, text, from) ?? '').trimEnd()
}

function closing(quote: string): RegExp {
  return QUOTED[quote] ?? (/quot|34|22/.test(quote) ? QUOTED_DOUBLE : QUOTED_SINGLE)
}

function bareValue(text: string, from: number): string {
  const value = match(BARE, text, from) ?? ''
  let end = value.length
  while (end > 0 && CLOSING.includes(value[end - 1] as string)) end--
  return value.slice(0, end)
}

/** Which quotes are open at a place of a line. Places are asked for in order: every text is read once. */
class OpenQuotes {
  readonly #text: string
  readonly #open = new Set<string>()
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  isOpen(quote: string, place: number): boolean {
    for (;;) {
      QUOTE_OR_LINE.lastIndex = this.#at
      const found = QUOTE_OR_LINE.exec(this.#text)
      if (!found || found.index >= place) return this.#open.has(quote)
      this.#at = found.index + found[0].length
      if (found[0] === '\n') this.#open.clear()
      else if (!this.#open.delete(found[0])) this.#open.add(found[0])
    }
  }
}

function match(sticky: RegExp, text: string, at: number): string | undefined {
  sticky.lastIndex = at
  return sticky.exec(text)?.[0]
}
