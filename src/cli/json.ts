import { printableJson } from '../util/terminal-text.ts'

interface Frame {
  items: Iterator<[name: string, value: unknown]>
  end: string
  isFirst: boolean
}

/**
 * What `JSON.stringify(value, null, 2)` gives, piece by piece and without recursion: neither the size nor the depth of
 * `value` matters. Characters that would rule a terminal are escaped. `value` holds plain data only.
 */
export function* jsonPieces(value: unknown): Generator<string> {
  const open: Frame[] = []
  const frame = frameOf(value)
  if (!frame) return yield `${scalar(value)}\n`
  open.push(frame)
  yield frame.end === '}' ? '{' : '['
  for (let top = open.at(-1); top; top = open.at(-1)) {
    const next = top.items.next()
    if (next.done) {
      open.pop()
      yield `\n${'  '.repeat(open.length)}${top.end}`
      continue
    }
    const [name, item] = next.value
    const inner = frameOf(item)
    yield `${top.isFirst ? '' : ','}\n${'  '.repeat(open.length)}${name}${inner ? (inner.end === '}' ? '{' : '[') : scalar(item)}`
    top.isFirst = false
    if (inner) open.push(inner)
  }
  yield '\n'
}

/** Undefined for what has no inside: scalars, empty arrays and objects. */
function frameOf(value: unknown): Frame | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const items = Array.isArray(value) ? elements(value) : members(value)
  const end = Array.isArray(value) ? ']' : '}'
  const isEmpty = Array.isArray(value) ? value.length === 0 : members(value).next().done
  return isEmpty ? undefined : { items, end, isFirst: true }
}

function* elements(values: unknown[]): Generator<[string, unknown]> {
  for (const value of values) yield ['', value ?? null]
}

function* members(value: object): Generator<[string, unknown]> {
  for (const [name, inner] of Object.entries(value)) {
    if (inner !== undefined) yield [`${scalar(name)}: `, inner]
  }
}

function scalar(value: unknown): string {
  if (Array.isArray(value)) return '[]'
  if (typeof value === 'object' && value !== null) return '{}'
  return printableJson(JSON.stringify(value) ?? 'null')
}
