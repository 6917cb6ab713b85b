import { labelOf, mapLabel, preambleLabel } from '../../core/label.ts'
import type { Block, Format } from '../../core/model.ts'
import { ParseError } from '../../core/parse-error.ts'
import {
  entriesOf,
  isArray,
  isMap,
  MAX_DEPTH,
  renderEntries,
  renderItems,
  renderScalar,
} from './structured-text.ts'

/** A nested map or array of this many entries is a node of its own; a smaller one is written into its parent. */
const PROMOTION_THRESHOLD = 5

/** Chooses how an array node is written; given the plain rendering to compare with. */
export type ArrayEncoder = (array: ArrayNode) => { format: Format; text: string }

export interface ArrayNode {
  key: string | null
  items: readonly unknown[]
  plain: string
}

export interface StructuredOptions {
  root?: 'kv' | 'preamble'
  encodeArray?: ArrayEncoder
}

const encodePlain: ArrayEncoder = ({ plain }) => ({ format: 'plain', text: plain })

/**
 * The nodes of a parsed value (JSON, YAML): Maps or plain objects, arrays and scalars; keys in lexicographic order.
 * Nothing for null or undefined. Throws ParseError when nested too deeply to be rendered.
 */
export function structuredBlocks(value: unknown, options: StructuredOptions = {}): Block[] {
  if (value === null || value === undefined) return []
  const root = blockOf({ key: null, value, depth: 0 }, options.encodeArray ?? encodePlain)
  if (options.root === 'preamble') return [asPreamble(root, value)]
  return [root]
}

interface Place {
  key: string | null
  value: unknown
  depth: number
}

function blockOf(place: Place, encodeArray: ArrayEncoder): Block {
  const { key, value, depth } = place
  if (depth > MAX_DEPTH) throw new ParseError(`nested deeper than ${MAX_DEPTH} levels`)
  if (isArray(value)) return arrayBlock(key, value, encodeArray)
  if (isMap(value)) return mapBlock({ key, value, depth }, encodeArray)
  return { type: 'kv', format: 'plain', text: renderScalar(value, 0), children: [] }
}

function mapBlock({ key, value: map, depth }: Place & { value: object }, encodeArray: ArrayEncoder): Block {
  const entries = entriesOf(map)
  const inlined = entries.filter(([, value]) => !isPromoted(value))
  const lines = key === null ? [] : [`${key}:`]
  renderEntries(inlined, key === null ? 0 : 2, lines)
  const children = entries
    .filter(([, value]) => isPromoted(value))
    .map(([childKey, value]) => blockOf({ key: childKey, value, depth: depth + 1 }, encodeArray))
  const block: Block = { type: 'kv', format: 'plain', text: lines.join('\n'), children }
  if (key === null && entries.length === 0) return { ...block, text: '{}' }
  // Everything promoted leaves no text to take a label from.
  if (block.text === '') block.label = mapLabel(entries.map(([name]) => name))
  return block
}

function arrayBlock(key: string | null, items: readonly unknown[], encodeArray: ArrayEncoder): Block {
  const lines = key === null ? [] : [`${key}:`]
  renderItems(items, 0, lines)
  const plain = items.length === 0 ? '[]' : lines.join('\n')
  return { type: 'list', ...encodeArray({ key, items, plain }), children: [] }
}

function asPreamble(root: Block, value: unknown): Block {
  const preamble: Block = { type: 'preamble', format: root.format, text: root.text, children: root.children }
  const label = preambleLabel(isMap(value) ? entriesOf(value).map(([key]) => key) : [])
  if (labelOf(preamble) !== label) preamble.label = label
  return preamble
}

function isPromoted(value: unknown): boolean {
  if (isArray(value)) return value.length >= PROMOTION_THRESHOLD
  if (!isMap(value)) return false
  return (value instanceof Map ? value.size : Object.keys(value).length) >= PROMOTION_THRESHOLD
}
