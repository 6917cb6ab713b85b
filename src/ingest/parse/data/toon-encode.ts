import { escapeString } from '@toon-format/toon'
import { utf8Length } from '../../../core/tokens.ts'
import { roomBelow } from '../split.ts'
import { NumberLiteral } from './number-literal.ts'
import { isArray, isScalar, type Scalar, type Value, ValueMap } from './value.ts'

/** An array in TOON, taken apart so that any run of its items can be written with its own header. */
export interface ToonArray {
  key: string | null
  /** Null when every item is a scalar. */
  fields: readonly string[] | null
  /** One for each item, encoded: a scalar, or a line of cells. */
  items: readonly string[]
}

/** Undefined for an array that TOON writes no shorter: empty, nested, or objects of different shapes. */
export function encodeToon(key: string | null, items: readonly Value[]): ToonArray | undefined {
  if (items.length === 0) return undefined
  if (items.every(isScalar)) return { key, fields: null, items: items.map(encodeScalar) }
  const [first] = items
  if (!(first instanceof ValueMap)) return undefined
  const fields = first.entries.map(([name]) => name)
  if (fields.length === 0 || new Set(fields).size < fields.length) return undefined
  const rows: string[] = []
  for (const item of items) {
    const row = encodeRow(item, fields)
    if (row === undefined) return undefined
    rows.push(row)
  }
  return { key, fields, items: rows }
}

/** The whole array. */
export function renderToon(array: ToonArray): string {
  return renderItems(array, array.items)
}

/** Texts of at most `maxBytes`, each valid TOON; undefined if an item or the header leaves no room. */
export function splitToon(array: ToonArray, maxBytes: number): string[] | undefined {
  const whole = renderToon(array)
  if (utf8Length(whole) <= maxBytes) return [whole]
  const room = roomBelow(headerOf(array, array.items.length), maxBytes)
  if (room === null) return undefined
  const pieces: string[] = []
  let open: string[] = []
  let bytes = 0
  for (const item of array.items) {
    const size = utf8Length(item) + separatorSize(array)
    if (size > room) return undefined
    if (bytes + size > room) {
      pieces.push(renderItems(array, open))
      open = []
      bytes = 0
    }
    open.push(item)
    bytes += size
  }
  return [...pieces, renderItems(array, open)]
}

/** Without its colon: the label of the node. */
export function toonLabel(text: string, { key }: ToonArray): string | undefined {
  if (key === null || !key.includes(':')) return undefined
  return text.slice(0, encodeKey(key).length + text.slice(encodeKey(key).length).indexOf(':'))
}

function renderItems(array: ToonArray, items: readonly string[]): string {
  const header = headerOf(array, items.length)
  if (array.fields === null) return `${header} ${items.join(',')}`
  return [header, ...items.map((row) => `  ${row}`)].join('\n')
}

function headerOf({ key, fields }: ToonArray, count: number): string {
  const name = key === null ? '' : encodeKey(key)
  return `${name}[${count}]${fields === null ? '' : `{${fields.map(encodeKey).join(',')}}`}:`
}

/** A comma after a scalar; a newline and two spaces with a row. */
function separatorSize({ fields }: ToonArray): number {
  return fields === null ? 1 : 3
}

function encodeRow(item: Value, fields: readonly string[]): string | undefined {
  if (isArray(item) || !(item instanceof ValueMap) || item.entries.length !== fields.length) return undefined
  const cells: string[] = []
  for (const [i, [name, value]] of item.entries.entries()) {
    if (name !== fields[i] || !isScalar(value)) return undefined
    cells.push(encodeScalar(value))
  }
  return cells.join(',')
}

/** Texts that a reader would take for another type. */
const AMBIGUOUS = /^$|^[ \t#-]|[ \t]$|[:"\\[\]{},\p{Cc}]|^(?:true|false|null)$/u
const NUMBER_LIKE = /^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/
const PLAIN_KEY = /^[A-Za-z_][A-Za-z0-9_.]*$/

function encodeScalar(value: Scalar): string {
  if (value === null || typeof value === 'boolean' || value instanceof NumberLiteral) return String(value)
  return AMBIGUOUS.test(value) || NUMBER_LIKE.test(value) ? quote(value) : value
}

function encodeKey(key: string): string {
  return PLAIN_KEY.test(key) ? key : quote(key)
}

function quote(text: string): string {
  return `"${escapeString(text)}"`
}
