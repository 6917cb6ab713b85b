import { MemoryError } from '../../core/errors.ts'
import { KIND_NAME } from '../../core/redact.ts'
import { BUILTIN_KINDS } from './text/builtin.ts'
import type { Hit } from './text/hit.ts'
import { parsePlain } from './text/plain-pattern.ts'

/** A custom kind of secret: its name, and the RE2 expression that finds it. */
export interface CustomPattern {
  kind: string
  pattern: string
}

/** Finds the matches of all of them, in order. */
export type FindCustom = (text: string) => Hit[]

type Re2 = typeof import('re2js').RE2JS
type Compiled = ReturnType<Re2['compile']>

/** Texts in which an expression that can match nothing would do so. */
const SAMPLES = ['', 'a', 'a b', '1', '\n']

/** RE2 never takes exponential time: custom patterns meet untrusted texts. */
export async function compileCustom(customs: readonly CustomPattern[]): Promise<FindCustom[]> {
  if (customs.length === 0) return []
  const { RE2JS } = await import('re2js')
  const kinds = new Set(BUILTIN_KINDS)
  return customs.map((custom) => {
    checkKind(custom.kind, kinds)
    kinds.add(custom.kind)
    const compiled = compilePattern(RE2JS, custom)
    const plain = parsePlain(custom.pattern)
    return plain
      ? (text) => findPlain(plain.expression, custom.kind, text)
      : (text) => findAll(compiled, custom.kind, text)
  })
}

function checkKind(kind: string, taken: ReadonlySet<string>): void {
  if (kind === '') throw refusal('a kind is empty; give each pattern a name')
  if (!KIND_NAME.test(kind))
    throw refusal(`the kind ${JSON.stringify(kind)} must be 1 to 64 of a-z, 0-9, "_" and "-"`)
  if (!taken.has(kind)) return
  const why = BUILTIN_KINDS.includes(kind) ? 'is a built-in kind' : 'is defined twice'
  throw refusal(`the kind "${kind}" ${why}; choose another name`)
}

function compilePattern(RE2JS: Re2, { kind, pattern }: CustomPattern): Compiled {
  let compiled: Compiled
  try {
    compiled = RE2JS.compile(pattern)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw refusal(`the pattern of "${kind}" is not a regular expression that RE2 knows: ${reason}`, error)
  }
  if (SAMPLES.some((text) => matchesNothing(compiled, text)))
    throw refusal(
      `the pattern of "${kind}" also matches the empty text; make it ask for at least one character`,
    )
  return compiled
}

function matchesNothing(compiled: Compiled, text: string): boolean {
  const matcher = compiled.matcher(text)
  while (matcher.find()) if (matcher.start() === matcher.end()) return true
  return false
}

function findAll(compiled: Compiled, kind: string, text: string): Hit[] {
  const hits: Hit[] = []
  const matcher = compiled.matcher(text)
  while (matcher.find()) {
    const start = matcher.start()
    if (matcher.end() > start) hits.push({ kind, start, from: start, end: matcher.end() })
  }
  return hits
}

/** The same for a pattern that needs no engine. */
function findPlain(expression: RegExp, kind: string, text: string): Hit[] {
  const hits: Hit[] = []
  expression.lastIndex = 0
  for (let found = expression.exec(text); found; found = expression.exec(text))
    hits.push({ kind, start: found.index, from: found.index, end: expression.lastIndex })
  return hits
}

function refusal(reason: string, cause?: unknown): MemoryError {
  return new MemoryError('INVALID_INPUT', `invalid redaction.custom: ${reason}`, { cause })
}
