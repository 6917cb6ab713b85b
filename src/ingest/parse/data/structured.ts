import { labelOf, mapLabel, preambleLabel, truncateLabel } from '../../../core/label.ts'
import type { Block } from '../../../core/model.ts'
import { savesEnough } from '../compression.ts'
import type { ParseOptions } from '../parse-options.ts'
import { bytesOf } from '../split.ts'
import { encodeToon, renderToon, splitToon, type ToonArray, toonLabel } from './toon-encode.ts'
import { type Entry, isArray, type Scalar, sizeOf, toValue, type Value, ValueMap } from './value.ts'

/** A nested map or array of this many entries is a separate node; a smaller one is written into its parent. */
const PROMOTION_THRESHOLD = 5

/**
 * The nodes of a parsed value (JSON, YAML, TOON): Maps or plain objects, arrays and scalars; keys in lexicographic
 * order. Nothing for null, undefined or a blank text. Throws ParseError when nested too deeply to be rendered. A text that is too
 * long for a node is left to `splitBlocks`, except arrays in TOON.
 */
export function structuredBlocks(raw: unknown, options: ParseOptions): Block[] {
  const value = toValue(raw, options.redact)
  return value === null ? [] : blocksOf(null, value, options)
}

/** The same for the front matter of a document: its root is one `preamble`. */
export function preambleBlocks(raw: unknown, options: ParseOptions): Block[] {
  const value = toValue(raw, options.redact)
  if (value === null) return []
  const root = isArray(value) ? plainArray(null, value) : blocksOf(null, value, options)[0]
  return root ? [asPreamble(root, value)] : []
}

function blocksOf(key: string | null, value: Value, options: ParseOptions): Block[] {
  if (isArray(value)) return arrayBlocks(key, value, options)
  if (value instanceof ValueMap) return [mapBlock(key, value.entries, options)]
  const text = renderScalar(value, 0)
  return text.trim() === '' ? [] : [{ type: 'kv', format: 'plain', text, children: [] }]
}

function mapBlock(key: string | null, entries: readonly Entry[], options: ParseOptions): Block {
  const lines = key === null ? [] : [`${key}:`]
  const inlined = entries.filter(([, value]) => !isPromoted(value))
  renderEntries(inlined, key === null ? 0 : 2, lines)
  const children = entries
    .filter(([, value]) => isPromoted(value))
    .flatMap(([childKey, value]) => blocksOf(childKey, value, options))
  const block: Block = { type: 'kv', format: 'plain', text: lines.join('\n'), children }
  if (key === null && entries.length === 0) return { ...block, text: '{}' }
  // Everything promoted leaves no text to take a label from.
  if (block.text === '') block.label = mapLabel(entries.map(([name]) => name))
  return block
}

/** In TOON if that is much shorter: then one node or, for a long array, several. */
function arrayBlocks(key: string | null, items: readonly Value[], options: ParseOptions): Block[] {
  const plain = plainArray(key, items)
  const toon = encodeToon(key, items)
  if (!toon) return [plain]
  const whole = renderToon(toon)
  // A secret that spans several items is only recognised in the whole text, and removing it would break the TOON.
  if (!savesEnough(plain.text, whole) || options.redact(whole) !== whole) return [plain]
  const texts = splitToon(toon, bytesOf(options.maxNodeTokens))
  return texts?.map((text) => toonBlock(text, toon)) ?? [plain]
}

function plainArray(key: string | null, items: readonly Value[]): Block {
  const lines = key === null ? [] : [`${key}:`]
  renderItems(items, 0, lines)
  const text = items.length === 0 ? '[]' : lines.join('\n')
  return { type: 'list', format: 'plain', text, children: [] }
}

function toonBlock(text: string, toon: ToonArray): Block {
  const block: Block = { type: 'list', format: 'toon', text, children: [] }
  const label = toonLabel(text, toon)
  if (label !== undefined) block.label = truncateLabel(label)
  return block
}

function asPreamble(root: Block, value: Value): Block {
  const preamble: Block = { type: 'preamble', format: root.format, text: root.text, children: root.children }
  const label = preambleLabel(value instanceof ValueMap ? value.entries.map(([key]) => key) : [])
  if (labelOf(preamble) !== label) preamble.label = label
  return preamble
}

function isPromoted(value: Value): boolean {
  return sizeOf(value) >= PROMOTION_THRESHOLD
}

/** `key: scalar`, or `key:` with its content below: a map indented by two spaces, an array at the same indent. */
function renderEntries(entries: readonly Entry[], indent: number, lines: string[]): void {
  const pad = ' '.repeat(indent)
  for (const [key, value] of entries) {
    const inline = renderInline(value, indent)
    lines.push(inline === undefined ? `${pad}${key}:` : `${pad}${key}: ${inline}`)
    if (inline === undefined) renderBelow(value, isArray(value) ? indent : indent + 2, lines)
  }
}

/** `- scalar`, or `-` with a map or an array below, two spaces further in. */
function renderItems(items: readonly Value[], indent: number, lines: string[]): void {
  const pad = ' '.repeat(indent)
  for (const item of items) {
    const inline = renderInline(item, indent)
    lines.push(inline === undefined ? `${pad}-` : `${pad}- ${inline}`)
    if (inline === undefined) renderBelow(item, indent + 2, lines)
  }
}

/** Further lines of a text are indented: in the first column they would read as keys. */
function renderScalar(value: Scalar, indent: number): string {
  const text = String(value)
  return text.includes('\n') ? text.trim().replaceAll('\n', `\n${' '.repeat(indent + 2)}`) : text
}

function renderBelow(value: Value, indent: number, lines: string[]): void {
  if (isArray(value)) renderItems(value, indent, lines)
  else if (value instanceof ValueMap) renderEntries(value.entries, indent, lines)
}

/** Undefined for a value that needs several lines. */
function renderInline(value: Value, indent: number): string | undefined {
  if (isArray(value)) return sizeOf(value) === 0 ? '[]' : undefined
  if (value instanceof ValueMap) return sizeOf(value) === 0 ? '{}' : undefined
  return renderScalar(value, indent)
}
