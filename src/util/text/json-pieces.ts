import { printableJson } from './printable.ts'

interface Frame {
  items: Iterator<[name: string, value: unknown]>
  end: string
  isFirst: boolean
}

interface Layout {
  /** The text before a line at this depth. */
  line: (depth: number) => string
  colon: string
  end: string
}

const INDENTED: Layout = { line: (depth) => `\n${'  '.repeat(depth)}`, colon: ': ', end: '\n' }
const COMPACT: Layout = { line: () => '', colon: ':', end: '' }

/**
 * The output of `JSON.stringify(value, null, 2)` and a line feed, in pieces and without recursion: the size and depth
 * of `value` do not matter. Terminal control characters are escaped. `value` must be plain data.
 */
export function jsonPieces(value: unknown): Generator<string> {
  return pieces(value, INDENTED)
}

/** Like `jsonPieces`, without white space. */
export function compactJsonPieces(value: unknown): Generator<string> {
  return pieces(value, COMPACT)
}

function* pieces(value: unknown, layout: Layout): Generator<string> {
  const open: Frame[] = []
  const frame = frameOf(value, layout)
  if (!frame) return yield `${scalar(value)}${layout.end}`
  open.push(frame)
  yield frame.end === '}' ? '{' : '['
  for (let top = open.at(-1); top; top = open.at(-1)) {
    const next = top.items.next()
    if (next.done) {
      open.pop()
      yield `${layout.line(open.length)}${top.end}`
      continue
    }
    const [name, item] = next.value
    const inner = frameOf(item, layout)
    yield `${top.isFirst ? '' : ','}${layout.line(open.length)}${name}${inner ? (inner.end === '}' ? '{' : '[') : scalar(item)}`
    top.isFirst = false
    if (inner) open.push(inner)
  }
  yield layout.end
}

/** Undefined for values without members: scalars, empty arrays and objects. */
function frameOf(value: unknown, { colon }: Layout): Frame | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const items = Array.isArray(value) ? elements(value) : members(value, colon)
  const end = Array.isArray(value) ? ']' : '}'
  const isEmpty = Array.isArray(value) ? value.length === 0 : members(value, colon).next().done
  return isEmpty ? undefined : { items, end, isFirst: true }
}

function* elements(values: unknown[]): Generator<[string, unknown]> {
  for (const value of values) yield ['', value ?? null]
}

function* members(value: object, colon: string): Generator<[string, unknown]> {
  for (const [name, inner] of Object.entries(value)) {
    if (inner !== undefined) yield [`${scalar(name)}${colon}`, inner]
  }
}

function scalar(value: unknown): string {
  if (Array.isArray(value)) return '[]'
  if (typeof value === 'object' && value !== null) return '{}'
  return printableJson(JSON.stringify(value) ?? 'null')
}
