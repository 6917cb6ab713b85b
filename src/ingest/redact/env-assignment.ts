import type { Hit } from './hit.ts'

const NAME = /(?<![A-Za-z0-9_])[A-Z_][A-Z0-9_]{0,200}(?:TOKEN|KEY|SECRET|PASSWORD)(?=[ \t:?+=])/g
/** Not a comparison and not an arrow. Blanks only before a quoted value: `X_KEY = y` is code more often than a secret. */
const EQUALS = /[:?+]?=(?![=>~])|[ \t]{0,8}[:?+]?=[ \t]{1,8}(?=["'])/y
/** A quote that opens a value. One before a blank or the end of a list closes what the assignment stands in. */
const OPENING = /\\?["'](?!\s|$|[,;:)\]}]{1,9}(?:["'\s]|$))/y
/** Up to the quote that closes it; what `\"` opened is quoted within a quoted text, and `\"` closes it. */
const QUOTED: Record<string, RegExp> = {
  '"': /(?:\\[^\n]|[^"\\\n])+(?=")/y,
  "'": /[^'\n]+(?=')/y,
  '\\"': /(?:(?!\\")[^\n])+(?=\\")/y,
  "\\'": /(?:(?!\\')[^\n])+(?=\\')/y,
}
/** Up to a blank, a quote that closes what the assignment stands in, or a closing tag. */
const BARE = /(?:[^\s"'`<\\]|<(?!\/)|["'`](?=\w)|\\(?!["'`]))+/y
/** What ends a sentence, a list or a bracket around the assignment. */
const CLOSING = '.,;:)]}>|*'

/** `NAME=value` where the name says that the value is secret. The name stays. */
export function* findEnvAssignments(text: string): Generator<Omit<Hit, 'kind'>> {
  let done = 0
  for (const { 0: name, index: start } of text.matchAll(NAME)) {
    if (start < done) continue
    const value = valueAfter(text, start + name.length)
    if (!value) continue
    done = value.end
    yield { start, ...value }
  }
}

function valueAfter(text: string, at: number): { from: number; end: number } | undefined {
  const equals = match(EQUALS, text, at)
  if (equals === undefined) return undefined
  const quote = match(OPENING, text, at + equals.length) ?? ''
  const from = at + equals.length + quote.length
  const quoted = QUOTED[quote]
  const value = (quoted && match(quoted, text, from)) ?? withoutClosing(match(BARE, text, from) ?? '')
  return value === '' ? undefined : { from, end: from + value.length }
}

function withoutClosing(value: string): string {
  let end = value.length
  while (end > 0 && CLOSING.includes(value[end - 1] as string)) end--
  return value.slice(0, end)
}

function match(sticky: RegExp, text: string, at: number): string | undefined {
  sticky.lastIndex = at
  return sticky.exec(text)?.[0]
}
