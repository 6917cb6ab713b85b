import { ParseError } from '../../../core/parse-error.ts'
import type { Redact } from '../../../core/redact.ts'
import { normalizeNewlines, withoutNul } from '../whitespace.ts'
import { isNumberText, NumberLiteral } from './number-literal.ts'

/** The values of JSON, YAML and TOON, ready to be rendered: every text is clean, every map in order. */
export type Value = Scalar | readonly Value[] | ValueMap
export type Scalar = string | boolean | null | NumberLiteral
export type Entry = readonly [key: string, value: Value]

/** Entries in lexicographic order of their keys, each key one line. */
export class ValueMap {
  readonly entries: readonly Entry[]

  constructor(entries: readonly Entry[]) {
    this.entries = entries
  }
}

/** Far from any real document, and far from the end of the call stack. */
export const MAX_DEPTH = 200

export function isArray(value: Value): value is readonly Value[] {
  return Array.isArray(value)
}

export function isScalar(value: Value): value is Scalar {
  return !isArray(value) && !(value instanceof ValueMap)
}

export function sizeOf(value: Value): number {
  if (isArray(value)) return value.length
  return value instanceof ValueMap ? value.entries.length : 0
}

/**
 * From Maps or plain objects, arrays and scalars. Secrets are removed here, value by value, so that the rendered text
 * is still well formed. Throws ParseError for values nested deeper than `MAX_DEPTH`.
 */
export function toValue(raw: unknown, redact: Redact, depth = 0, key?: string): Value {
  if (depth > MAX_DEPTH) throw new ParseError(`nested deeper than ${MAX_DEPTH} levels`)
  if (Array.isArray(raw)) return raw.map((item) => toValue(item, redact, depth + 1, key))
  if (isRawMap(raw)) return toMap(raw, redact, depth)
  return toScalar(raw, redact, key)
}

function toMap(map: object, redact: Redact, depth: number, all?: string): ValueMap {
  const entries: [unknown, unknown][] = map instanceof Map ? [...map] : Object.entries(map)
  const names = namesOf(entries)
  return new ValueMap(
    entries
      .map(([key, value]): Entry => {
        const name = toKey(key, redact, depth)
        const isData = names.isSecret && isRawMap(value) && (name === 'data' || name === 'stringData')
        if (isData) return [name, toMap(value, redact, depth + 1, SECRET)]
        return [
          name,
          toValue(value, redact, depth + 1, all ?? (name === 'value' ? (names.name ?? name) : name)),
        ]
      })
      .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)),
  )
}

/** A key that makes any value secret. */
const SECRET = 'secret_value_password'

/** Entries of a map that describe other values: `name: DB_PASSWORD` describes `value`, and `kind: Secret` `data`. */
function namesOf(entries: readonly (readonly [unknown, unknown])[]): { name?: string; isSecret: boolean } {
  const kind = entries.find(([key]) => key === 'kind')?.[1]
  const isPair = entries.some(([key]) => key === 'value')
  const name = isPair ? entries.find(([key]) => key === 'name' || key === 'key')?.[1] : undefined
  return { ...(typeof name === 'string' && { name }), isSecret: kind === 'Secret' }
}

function toKey(key: unknown, redact: Redact, depth: number): string {
  const written = typeof key === 'string' ? key : renderKey(toValue(key, redact, depth))
  const text = cleanString(written, redact)
  return text.includes('\n') ? text.split(/\n+/).join(' ') : text
}

/** YAML allows a map or an array as a key. */
function renderKey(key: Value): string {
  if (isArray(key)) return `[${key.map(renderKey).join(', ')}]`
  if (!(key instanceof ValueMap)) return String(key)
  return `{${key.entries.map(([name, value]) => `${name}: ${renderKey(value)}`).join(', ')}}`
}

function toScalar(raw: unknown, redact: Redact, key?: string): Scalar {
  if (raw === null || raw === undefined) return null
  if (typeof raw === 'boolean') return raw
  if (raw instanceof NumberLiteral) return toNumber(raw, redact, key)
  const text = raw instanceof Date ? raw.toISOString() : String(raw)
  const isNumber = (typeof raw === 'number' || typeof raw === 'bigint') && isNumberText(text)
  return isNumber ? toNumber(new NumberLiteral(text), redact, key) : cleanString(text, redact, key)
}

/** A password may consist of digits. */
function toNumber(number: NumberLiteral, redact: Redact, key?: string): Scalar {
  if (key === undefined) return number
  const text = String(number)
  const redacted = redact(text, key)
  return redacted === text ? number : redacted
}

function cleanString(text: string, redact: Redact, key?: string): string {
  return redact(withoutNul(normalizeNewlines(text).toWellFormed()), key)
}

/** A Map or a plain object; a Date or a byte array is a scalar. */
function isRawMap(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  if (value instanceof Map) return true
  const prototype = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype
}
