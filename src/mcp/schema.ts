import { MemoryError } from '../core/errors.ts'
import { countCodePoints } from '../util/code-points.ts'
import type { Schema } from './tools/tool.ts'

/**
 * Builders of what a tool takes: each gives the JSON Schema that a client is shown and the check of what it sends, so that the
 * two cannot disagree. Strict, with one exception: null for an optional argument counts as not given.
 */
export interface Value<T> {
  json: Record<string, unknown>
  /** Throws INVALID_INPUT that says what `name` must be. */
  read(value: unknown, name: string): T
  isOptional?: boolean
}

export interface Optional<T> extends Value<T> {
  isOptional: true
}

type Members = Record<string, Value<unknown>>
type TypeOf<V> = V extends Value<infer T> ? T : never
type OptionalNames<M> = { [K in keyof M]: M[K] extends Optional<unknown> ? K : never }[keyof M]

/** What `parse` gives: optional members that were not given are missing. */
export type ArgumentsOf<M extends Members> = {
  [K in Exclude<keyof M, OptionalNames<M>>]: TypeOf<M[K]>
} & { [K in OptionalNames<M>]?: TypeOf<M[K]> }

/** Of a value that is echoed in a message. */
const SHOWN_LENGTH = 40

interface Bounds {
  min?: number
  max?: number
}

/** How other programs know a refusal, where they do; it is given what was sent. */
interface Saying {
  saying?: (shown: string) => string
}

/** Any text but the empty one; `mayBeEmpty` allows that. `max` is in characters. */
export function text(
  description: string,
  { mayBeEmpty = false, max }: { mayBeEmpty?: boolean; max?: number } = {},
): Value<string> {
  const bounds = { ...(mayBeEmpty ? {} : { minLength: 1 }), ...(max === undefined ? {} : { maxLength: max }) }
  return {
    json: { type: 'string', ...bounds, description },
    read(value, name) {
      if (typeof value !== 'string') throw wrong(name, 'must be a text', value)
      if (value === '' && !mayBeEmpty) throw refusal(`${name} must not be empty`)
      if (max !== undefined && isLonger(value, max))
        throw refusal(`${name} must have at most ${max} characters, got a long text`)
      return value
    },
  }
}

/** A text of one form; `must` says which, for who gives another. */
export function formed(
  description: string,
  { pattern, must }: { pattern: RegExp; must: string },
): Value<string> {
  return {
    json: { type: 'string', pattern: pattern.source, description },
    read(value, name) {
      if (typeof value !== 'string' || !pattern.test(value)) throw wrong(name, must, value)
      return value
    },
  }
}

export function integer(description: string, { saying, ...bounds }: Bounds & Saying = {}): Value<number> {
  return {
    json: { type: 'integer', ...boundsJson(bounds), description },
    read(value, name) {
      const isGood = Number.isSafeInteger(value) && isWithin(value as number, bounds)
      if (!isGood) throw wrong(name, `must be a whole number${rangeWords(bounds)}`, value, saying)
      return value as number
    },
  }
}

export function number(description: string, bounds: Bounds = {}): Value<number> {
  const { min, max } = bounds
  const range =
    min !== undefined && max !== undefined ? `in [${min}, ${max}]` : `a number${rangeWords(bounds)}`
  return {
    json: { type: 'number', ...boundsJson(bounds), description },
    read(value, name) {
      const isGood = typeof value === 'number' && Number.isFinite(value) && isWithin(value, bounds)
      if (!isGood) throw wrong(name, `must be ${range}`, value)
      return value
    },
  }
}

export function flag(description: string): Value<boolean> {
  return {
    json: { type: 'boolean', description },
    read(value, name) {
      if (typeof value !== 'boolean') throw wrong(name, 'must be true or false', value)
      return value
    },
  }
}

/** One of a few words. */
export function choice<const W extends string>(
  words: readonly W[],
  description: string,
  { saying }: Saying = {},
): Value<W> {
  return {
    json: { enum: words, description },
    read(value, name) {
      const word = words.find((known) => known === value)
      if (word === undefined) throw wrong(name, `must be one of ${words.join(', ')}`, value, saying)
      return word
    },
  }
}

/** At least one item, unless it `mayBeEmpty`; at most `max`. `advice` is for who gives more. */
export function list<T>(
  item: Value<T>,
  options: { max: number; description: string; mayBeEmpty?: boolean; advice?: string },
): Value<T[]> {
  const { max, description, mayBeEmpty = false, advice = 'ask in several calls' } = options
  const { description: _, ...itemJson } = item.json
  const bounds = { ...(mayBeEmpty ? {} : { minItems: 1 }), maxItems: max }
  return {
    json: { type: 'array', items: itemJson, ...bounds, description },
    read(value, name) {
      if (!Array.isArray(value)) throw wrong(name, 'must be a list', value)
      if (value.length === 0 && !mayBeEmpty) throw refusal(`${name} must be non-empty`)
      if (value.length > max) throw refusal(`${name} length ${value.length} exceeds cap ${max}; ${advice}`)
      return value.map((one, at) => item.read(one, `${name}[${at}]`))
    },
  }
}

/** Arguments in one: an object with these members, and no others. */
export function group<const M extends Members>(members: M, description: string): Value<ArgumentsOf<M>> {
  return {
    json: { ...objectJson(members), description },
    read(value, name) {
      if (typeof value !== 'object' || value === null || Array.isArray(value))
        throw wrong(name, 'must be an object', value)
      return readMembers(members, value as Record<string, unknown>, `${name}.`)
    },
  }
}

/** An argument that may be left out. */
export function optional<T>(value: Value<T>): Optional<T> {
  return { ...value, isOptional: true }
}

/** As `optional`, for an argument whose clients send null for none: the schema they are shown allows it. */
export function nullable<T>(value: Value<T>): Optional<T> {
  const { type, ...others } = value.json
  return { ...value, json: { type: [type, 'null'], ...others }, isOptional: true }
}

/** The arguments of a tool, by name; no others. */
export function object<const M extends Members>(members: M): Schema<ArgumentsOf<M>> {
  return {
    json: objectJson(members),
    parse: (value) => readMembers(members, membersOf(value), ''),
  }
}

function objectJson(members: Members): Record<string, unknown> {
  const names = Object.keys(members)
  const required = names.filter((name) => !members[name]?.isOptional)
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(members).map(([name, { json }]) => [name, json])),
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  }
}

function readMembers<M extends Members>(
  members: M,
  given: Record<string, unknown>,
  prefix: string,
): ArgumentsOf<M> {
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(members, name))
  if (unknown !== undefined)
    throw refusal(`there is no argument ${echo(prefix + unknown)}; ${knownWords(Object.keys(members))}`)
  return Object.fromEntries(
    Object.entries(members).flatMap(([name, member]) =>
      readMember(prefix + name, member, given[name]).map(([, value]) => [name, value]),
    ),
  ) as ArgumentsOf<M>
}

function readMember(name: string, member: Value<unknown>, value: unknown): [string, unknown][] {
  const isMissing = value === undefined || (value === null && member.isOptional === true)
  if (!isMissing) return [[name, member.read(value, name)]]
  if (member.isOptional) return []
  throw refusal(`${name} is required: ${String(member.json.description).replace(/\.$/, '')}`)
}

/** A client may leave all arguments out. */
function membersOf(value: unknown): Record<string, unknown> {
  if (value === undefined || value === null) return {}
  if (typeof value !== 'object' || Array.isArray(value)) throw refusal('give the arguments as an object')
  return value as Record<string, unknown>
}

function knownWords(names: readonly string[]): string {
  return names.length === 0 ? 'this tool takes none' : `there are ${names.join(', ')}`
}

function wrong(
  name: string,
  must: string,
  value: unknown,
  saying = (shown: string) => `${name} ${must}, got ${shown}`,
): MemoryError {
  const isNumeric = typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) && must.includes('number')
  return refusal(`${saying(echo(value))}${isNumeric ? '; give it without quotes' : ''}`)
}

function refusal(message: string): MemoryError {
  return new MemoryError('INVALID_INPUT', `validating "arguments": ${message}`)
}

/** What was given, short: it may be a whole text, in the wrong place. */
function echo(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object' && value !== null) return 'an object'
  const shown = String(JSON.stringify(value))
  return shown.length <= SHOWN_LENGTH
    ? shown
    : `${typeof value === 'string' ? 'a long text' : 'a long number'}`
}

/** In code points, as JSON Schema counts. A text that is far too long is not counted. */
function isLonger(value: string, max: number): boolean {
  return value.length > 2 * max || (value.length > max && countCodePoints(value) > max)
}

function isWithin(value: number, { min = -Infinity, max = Infinity }: Bounds): boolean {
  return value >= min && value <= max
}

function rangeWords({ min, max }: Bounds): string {
  const from = min === undefined ? '' : ` from ${min}`
  return max === undefined ? from : `${from} up to ${max}`
}

function boundsJson({ min, max }: Bounds): Record<string, number> {
  return { ...(min === undefined ? {} : { minimum: min }), ...(max === undefined ? {} : { maximum: max }) }
}
