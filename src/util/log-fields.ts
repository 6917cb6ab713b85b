import type { LogFields } from './log.ts'

/** Enough for any path and message. */
const MAX_TEXT = 4096
const MAX_DEPTH = 8
/** Also ends circular objects. */
const MAX_VALUES = 1000

interface Room {
  values: number
}

/**
 * Fields as flat JSON: `{ a: { b: 1 } }` is `{ 'a.b': 1 }`. Errors are `name: message`, times ISO 8601, bytes only
 * their number; undefined values are left out. Never throws.
 */
export function flattenFields(fields: LogFields | undefined): LogFields {
  if (fields === undefined) return {}
  return Object.fromEntries(entriesOf('', fields, 0, { values: MAX_VALUES }))
}

function* entriesOf(prefix: string, fields: object, depth: number, room: Room): Generator<[string, unknown]> {
  for (const name of namesOf(fields)) {
    if (room.values-- <= 0) return
    const key = cut(`${prefix}${name}`)
    const value = plain(readField(fields, name), depth, room)
    if (!isGroup(value)) {
      if (value !== undefined) yield [key, value]
    } else if (depth < MAX_DEPTH) yield* entriesOf(`${key}.`, value, depth + 1, room)
  }
}

const UNREADABLE = '(unreadable)'

function namesOf(fields: object): string[] {
  try {
    return Object.keys(fields)
  } catch {
    // A proxy may throw for any access.
    return []
  }
}

function readField(fields: object, name: string): unknown {
  try {
    return (fields as LogFields)[name]
  } catch {
    return UNREADABLE
  }
}

function isGroup(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A value that JSON can represent, except for a group, which is returned as it is. */
function plain(value: unknown, depth: number, room: Room): unknown {
  switch (typeof value) {
    case 'string':
      return cut(value)
    case 'bigint':
      return Number.isSafeInteger(Number(value)) ? Number(value) : String(value)
    case 'number':
      // JSON has only one zero.
      return Number.isFinite(value) ? value + 0 : String(value)
    case 'symbol':
      return cut(String(value))
    case 'function':
      return undefined
    case 'object':
      return value === null ? null : plainObject(value, depth, room)
    default:
      return value
  }
}

function plainObject(value: object, depth: number, room: Room): unknown {
  try {
    if (value instanceof Error) return cut(`${value.name}: ${value.message}`)
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString()
    if (ArrayBuffer.isView(value)) return `(${value.byteLength} bytes)`
    if (value instanceof Map) return Object.fromEntries([...value].map(([key, item]) => [String(key), item]))
    if (Array.isArray(value) || value instanceof Set) return plainList(value, depth, room)
    if (depth < MAX_DEPTH && 'toJSON' in value && typeof value.toJSON === 'function')
      return plain(value.toJSON(), depth + 1, room)
    return value
  } catch {
    return UNREADABLE
  }
}

function plainList(items: Iterable<unknown>, depth: number, room: Room): unknown[] | undefined {
  if (depth >= MAX_DEPTH) return undefined
  const list: unknown[] = []
  for (const item of items) {
    if (room.values-- <= 0) break
    const value = plain(item, depth + 1, room)
    list.push(isGroup(value) ? Object.fromEntries(entriesOf('', value, depth + 1, room)) : (value ?? null))
  }
  return list
}

function cut(text: string): string {
  return (text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text).toWellFormed()
}
