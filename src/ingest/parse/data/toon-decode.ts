import { decodeStreamSync, ToonDecodeError } from '@toon-format/toon'
import { ParseError } from '../../../core/parse-error.ts'
import { isNumberText, NumberLiteral } from './number-literal.ts'
import { MAX_DEPTH } from './value.ts'

const INDENT = 2
/** Rare characters; one that a text does not contain can mark its numbers. */
const FIRST_MARK = 0xe000
const LAST_MARK = 0xf8ff

/**
 * A TOON text as Maps, arrays, strings, booleans, null and NumberLiterals. Strict: counts must be right. Throws
 * ParseError.
 */
export function decodeToon(source: string): unknown {
  const lines = source.split('\n')
  lines.forEach(checkNesting)
  const mark = unusedMark(source)
  try {
    const events = decodeStreamSync(
      lines.map((line) => markNumbers(line, mark)),
      { strict: true, indentSize: INDENT },
    )
    return build(events, (text) => toScalar(text, mark))
  } catch (error) {
    throw asParseError(error)
  }
}

/** The library calls itself for each level of indentation, and for each brace in a header. */
function checkNesting(line: string, index: number): void {
  const depth = braceDepth(line)
  const indent = line.length - line.trimStart().length
  if (depth > MAX_DEPTH || indent > MAX_DEPTH * INDENT) {
    throw new ParseError(`invalid TOON: nested deeper than ${MAX_DEPTH} levels`, index + 1)
  }
}

function braceDepth(line: string): number {
  if (!line.includes('{')) return 0
  let depth = 0
  let deepest = 0
  for (const [token] of line.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"?|[{}]/g)) {
    if (token === '{') deepest = Math.max(deepest, ++depth)
    else if (token === '}') depth--
  }
  return deepest
}

type Events = ReturnType<typeof decodeStreamSync>
type Container = unknown[] | Map<string, unknown>

function build(events: Events, toScalar: (text: string) => string | NumberLiteral): unknown {
  const root: unknown[] = []
  const open: Container[] = [root]
  const keys: string[] = []
  const put = (value: unknown): void => {
    const container = open.at(-1) as Container
    if (Array.isArray(container)) container.push(value)
    else container.set(keys.pop() as string, value)
  }
  for (const event of events) {
    if (event.type === 'endObject' || event.type === 'endArray') open.pop()
    else if (event.type === 'key') keys.push(String(toScalar(event.key)))
    else if (event.type === 'primitive') {
      put(typeof event.value === 'string' ? toScalar(event.value) : event.value)
    } else {
      const container: Container = event.type === 'startArray' ? [] : new Map()
      put(container)
      open.push(container)
    }
  }
  return root[0] ?? null
}

/** The library reads numbers as floating point. Marked, they come through as texts. */
const QUOTED_OR_TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"?|[^\s"[\]{},|:]+/g

function markNumbers(line: string, mark: string): string {
  if (!/\d/.test(line)) return line
  return line.replace(QUOTED_OR_TOKEN, (token, offset: number) => {
    // The number in `key[3]` says how long an array is.
    if (line[offset - 1] === '[' || !isNumberText(token)) return token
    return mark + token
  })
}

/** Marks inside a longer text (`2 apples`) go; a text that is one marked number is that number. */
function toScalar(text: string, mark: string): string | NumberLiteral {
  if (!text.includes(mark)) return text
  const plain = text.replaceAll(mark, '')
  return text.startsWith(mark) && isNumberText(plain) ? new NumberLiteral(plain) : plain
}

function unusedMark(source: string): string {
  for (let code = FIRST_MARK; code <= LAST_MARK; code++) {
    const mark = String.fromCharCode(code)
    if (!source.includes(mark)) return mark
  }
  throw new ParseError('invalid TOON: contains every private-use character')
}

/** The library's messages quote the text, except these. */
const SAFE_MESSAGES = [
  /^Expected \d+ [\w -]+, but got \d+$/,
  /^Indentation must be exact multiple of \d+, but found \d+ spaces$/,
  /^Tabs are not allowed in indentation in strict mode$/,
  /^Missing colon after key$/,
  /^Unterminated string: missing closing quote$/,
  /^Unexpected characters after closing quote$/,
  /^Unterminated quoted key$/,
]

function asParseError(error: unknown): ParseError {
  if (error instanceof ParseError) return error
  if (!(error instanceof ToonDecodeError)) return new ParseError('invalid TOON')
  const message = error.message.replace(/^Line \d+: /, '')
  const isSafe = SAFE_MESSAGES.some((safe) => safe.test(message))
  return new ParseError(
    isSafe ? `invalid TOON: ${message.toLowerCase()}` : 'invalid TOON',
    error.line ?? null,
  )
}
