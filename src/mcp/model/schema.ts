import { countCodePoints } from '../../util/text/code-points.ts'
import {
  type ArgumentsOf,
  type Members,
  membersJson,
  type Optional,
  readMembers,
  type Value,
} from './schema-members.ts'
import { refusal, wrong } from './schema-refusals.ts'
import { unquoteFlag, unquoteJson, unquoteNumber } from './schema-unquote.ts'
import type { Schema } from './tool.ts'

export type { Value } from './schema-members.ts'

/**
 * Builders for the input of a tool: each yields the JSON Schema that a client sees and the check of its input. The schema has
 * types, words and descriptions. Limits are only checked here, and belong into the description: some clients drop them from a
 * schema, and others refuse a call without our message, which tells the model how to fix it.
 */

interface Bounds {
  min?: number
  max?: number
}

/** The message that other programs know for this refusal, if any; called with the sent value. */
interface Saying {
  saying?: (shown: string) => string
}

/** Any text but the empty one; `mayBeEmpty` allows that. `max` is in characters. */
export function text(
  description: string,
  { mayBeEmpty = false, max }: { mayBeEmpty?: boolean; max?: number } = {},
): Value<string> {
  return {
    json: { type: 'string', description },
    read(value, name) {
      if (typeof value !== 'string') throw wrong(name, 'must be a text', value)
      if (value === '' && !mayBeEmpty) throw refusal(`${name} must not be empty`)
      if (max !== undefined && isLonger(value, max))
        throw refusal(`${name} must have at most ${max} characters, got a long text`)
      return value
    },
  }
}

/** A text of one form; `must` describes it in the refusal. */
export function formed(
  description: string,
  { pattern, must }: { pattern: RegExp; must: string },
): Value<string> {
  return {
    json: { type: 'string', description },
    read(value, name) {
      if (typeof value !== 'string' || !pattern.test(value)) throw wrong(name, must, value)
      return value
    },
  }
}

export function integer(description: string, { saying, ...bounds }: Bounds & Saying = {}): Value<number> {
  return {
    json: { type: 'integer', description },
    read(value, name) {
      const number = unquoteNumber(value)
      const isGood = Number.isSafeInteger(number) && isWithin(number as number, bounds)
      if (!isGood) throw wrong(name, `must be a whole number${rangeWords(bounds)}`, value, saying)
      return number as number
    },
  }
}

export function number(description: string, bounds: Bounds = {}): Value<number> {
  const { min, max } = bounds
  const range =
    min !== undefined && max !== undefined ? `in [${min}, ${max}]` : `a number${rangeWords(bounds)}`
  return {
    json: { type: 'number', description },
    read(value, name) {
      const number = unquoteNumber(value)
      const isGood = typeof number === 'number' && Number.isFinite(number) && isWithin(number, bounds)
      if (!isGood) throw wrong(name, `must be ${range}`, value)
      return number
    },
  }
}

export function flag(description: string): Value<boolean> {
  return {
    json: { type: 'boolean', description },
    read(value, name) {
      const isSet = unquoteFlag(value)
      if (typeof isSet !== 'boolean') throw wrong(name, 'must be true or false', value)
      return isSet
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

/** At least one item, unless it `mayBeEmpty`; at most `max`. `advice` is added to the refusal of more. */
export function list<T>(
  item: Value<T>,
  options: { max: number; description: string; mayBeEmpty?: boolean; advice?: string },
): Value<T[]> {
  const { max, description, mayBeEmpty = false, advice = 'ask in several calls' } = options
  const { description: _, ...itemJson } = item.json
  return {
    json: { type: 'array', items: itemJson, description },
    read(value, name) {
      const items = unquoteJson(value)
      if (!Array.isArray(items)) throw wrong(name, 'must be a list', value)
      if (items.length === 0 && !mayBeEmpty) throw refusal(`${name} must be non-empty`)
      if (items.length > max) throw refusal(`${name} length ${items.length} exceeds cap ${max}; ${advice}`)
      return items.map((one, at) => item.read(one, `${name}[${at}]`))
    },
  }
}

/** Arguments in one: an object with these members, and no others. */
export function group<const M extends Members>(members: M, description: string): Value<ArgumentsOf<M>> {
  return {
    json: { ...membersJson(members), description },
    read(value, name) {
      const object = unquoteJson(value)
      if (!isObject(object)) throw wrong(name, 'must be an object', value)
      return readMembers(members, object, `${name}.`)
    },
  }
}

/** An argument that may be left out. */
export function optional<T>(value: Value<T>): Optional<T> {
  return { ...value, isOptional: true }
}

/** An argument that had other names before. They are still accepted, and clients are not shown them. */
export function formerly<T>(value: Value<T>, ...formerNames: string[]): Value<T> {
  return { ...value, formerNames }
}

/** The arguments of a tool, by name; no others. A client may omit all of them. */
export function object<const M extends Members>(members: M): Schema<ArgumentsOf<M>> {
  return {
    json: membersJson(members),
    parse(value) {
      const given = value ?? {}
      if (!isObject(given)) throw refusal('give the arguments as an object')
      return readMembers(members, given, '')
    },
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
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
