import { ParseError } from '../../../core/parse-error.ts'
import { NumberLiteral } from './number-literal.ts'
import { MAX_DEPTH } from './value.ts'

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const SPACE = /[ \t\n\r]*/y
/** A string without escapes, which nearly all are. */
const PLAIN_STRING = /"[^"\\\p{Cc}]*"/uy
const WORDS: readonly [string, boolean | null][] = [
  ['true', true],
  ['false', false],
  ['null', null],
]

/**
 * Reads JSON values from a text, one after the other: Maps, arrays, strings, booleans, null and NumberLiterals. Unlike
 * `JSON.parse` it keeps numbers as written, and its errors name the line without quoting the text.
 */
export class JsonReader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  isAtEnd(): boolean {
    this.#skipSpace()
    return this.#at === this.#text.length
  }

  /** Throws ParseError. */
  readValue(depth = 0): unknown {
    this.#skipSpace()
    if (depth > MAX_DEPTH) this.fail(`nested deeper than ${MAX_DEPTH} levels`)
    switch (this.#text[this.#at]) {
      case '{':
        return this.#readMap(depth)
      case '[':
        return this.#readArray(depth)
      case '"':
        return this.#readString()
      default:
        return this.#readWord()
    }
  }

  fail(reason: string): never {
    throw new ParseError(`invalid JSON: ${reason}`, lineAt(this.#text, this.#at))
  }

  /** Of two equal keys the last wins. */
  #readMap(depth: number): Map<string, unknown> {
    const map = new Map<string, unknown>()
    this.#readList('}', () => {
      if (this.#text[this.#at] !== '"') this.fail('expected a key in double quotes')
      const key = this.#readString()
      if (!this.#skip(':')) this.fail('expected a colon after a key')
      map.set(key, this.readValue(depth + 1))
    })
    return map
  }

  #readArray(depth: number): unknown[] {
    const items: unknown[] = []
    this.#readList(']', () => items.push(this.readValue(depth + 1)))
    return items
  }

  #readList(close: '}' | ']', readItem: () => void): void {
    this.#at++
    if (this.#skip(close)) return
    do {
      this.#skipSpace()
      readItem()
    } while (this.#skip(','))
    if (!this.#skip(close)) this.fail(this.isAtEnd() ? 'unexpected end' : `expected a comma or ${close}`)
  }

  #readString(): string {
    const plain = this.#match(PLAIN_STRING)
    if (plain !== undefined) return plain.slice(1, -1)
    const start = this.#at
    const end = endOfString(this.#text, start)
    if (end < 0) this.fail('a string is not closed on its line')
    try {
      const text = JSON.parse(this.#text.slice(start, end)) as string
      this.#at = end
      return text
    } catch {
      // Its message quotes the text.
      return this.fail('a string holds a bad escape or a control character')
    }
  }

  #readWord(): boolean | null | NumberLiteral {
    for (const [word, value] of WORDS) {
      if (!this.#text.startsWith(word, this.#at)) continue
      this.#at += word.length
      return value
    }
    const number = this.#match(NUMBER)
    if (number === undefined) this.fail(this.isAtEnd() ? 'unexpected end' : 'expected a value')
    return new NumberLiteral(number as string)
  }

  #skip(mark: string): boolean {
    this.#skipSpace()
    if (this.#text[this.#at] !== mark) return false
    this.#at++
    return true
  }

  #skipSpace(): void {
    this.#match(SPACE)
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at
    const match = pattern.exec(this.#text)?.[0]
    if (match !== undefined) this.#at += match.length
    return match
  }
}

/** After the closing quote; -1 when there is none on the line. */
function endOfString(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    const char = text[i]
    if (char === '"') return i + 1
    if (char === '\n') return -1
    if (char === '\\') i++
  }
  return -1
}

function lineAt(text: string, position: number): number {
  let line = 1
  for (let i = text.indexOf('\n'); i >= 0 && i < position; i = text.indexOf('\n', i + 1)) line++
  return line
}
