import { ParseError } from '../../core/parse-error.ts'

/** Far from any real document, and far from the end of the call stack. */
export const MAX_DEPTH = 200

export type Entry = [key: string, value: unknown]

export function isArray(value: unknown): value is readonly unknown[] {
  return Array.isArray(value)
}

/** A Map or a plain object; a Date or a byte array is a scalar. */
export function isMap(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  if (value instanceof Map) return true
  const prototype = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype
}

/** Keys as text, in lexicographic order. */
export function entriesOf(map: object): Entry[] {
  const entries: Entry[] =
    map instanceof Map ? [...map].map(([key, value]) => [renderKey(key), value]) : Object.entries(map)
  return entries
    .map(([key, value]): Entry => [oneLine(key), value])
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
}

/** `key: scalar`, or `key:` with what it holds below: a map two spaces further in, an array at the same indent. */
export function renderEntries(entries: readonly Entry[], indent: number, lines: string[]): void {
  checkDepth(indent)
  const pad = ' '.repeat(indent)
  for (const [key, value] of entries) {
    const inline = renderInline(value, indent)
    if (inline !== undefined) {
      lines.push(`${pad}${key}: ${inline}`)
      continue
    }
    lines.push(`${pad}${key}:`)
    if (isArray(value)) renderItems(value, indent, lines)
    else if (isMap(value)) renderEntries(entriesOf(value), indent + 2, lines)
  }
}

/** `- scalar`, or `-` with a map or an array below, two spaces further in. */
export function renderItems(items: readonly unknown[], indent: number, lines: string[]): void {
  checkDepth(indent)
  const pad = ' '.repeat(indent)
  for (const item of items) {
    const inline = renderInline(item, indent)
    if (inline !== undefined) {
      lines.push(`${pad}- ${inline}`)
      continue
    }
    lines.push(`${pad}-`)
    if (isArray(item)) renderItems(item, indent + 2, lines)
    else if (isMap(item)) renderEntries(entriesOf(item), indent + 2, lines)
  }
}

/** Further lines of a text are indented: in the first column they would read as keys. */
export function renderScalar(value: unknown, indent: number): string {
  const text = value instanceof Date ? value.toISOString() : String(value)
  return text.includes('\n') ? text.trim().replaceAll('\n', `\n${' '.repeat(indent + 2)}`) : text
}

/** Undefined for what needs lines of its own. */
function renderInline(value: unknown, indent: number): string | undefined {
  if (isArray(value)) return value.length === 0 ? '[]' : undefined
  if (isMap(value))
    return (value instanceof Map ? value.size : Object.keys(value).length) === 0 ? '{}' : undefined
  return renderScalar(value, indent)
}

/** YAML allows a map or an array as a key. */
function renderKey(key: unknown, depth = 0): string {
  if (depth > 100) throw new ParseError('a key is nested deeper than 100 levels')
  if (isArray(key)) return `[${key.map((item) => renderKey(item, depth + 1)).join(', ')}]`
  if (!isMap(key)) return String(key)
  const pairs = entriesOf(key).map(([name, value]) => `${name}: ${renderKey(value, depth + 1)}`)
  return `{${pairs.join(', ')}}`
}

function oneLine(key: string): string {
  return /[\r\n]/.test(key) ? key.split(/[\r\n]+/).join(' ') : key
}

function checkDepth(indent: number): void {
  if (indent > MAX_DEPTH * 2) throw new ParseError(`nested deeper than ${MAX_DEPTH} levels`)
}
