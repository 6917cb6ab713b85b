import { type Entry, isArray, type Scalar, sizeOf, type Value, ValueMap } from './value.ts'

/** `key: scalar`, or `key:` with its content below: a map indented by two spaces, an array at the same indent. */
export function renderEntries(entries: readonly Entry[], indent: number, lines: string[]): void {
  const pad = ' '.repeat(indent)
  for (const [key, value] of entries) {
    const inline = renderInline(value, indent)
    lines.push(inline === undefined ? `${pad}${key}:` : `${pad}${key}: ${inline}`)
    if (inline === undefined) renderBelow(value, isArray(value) ? indent : indent + 2, lines)
  }
}

/** `- scalar`, or `-` with a map or an array below, two spaces further in. */
export function renderItems(items: readonly Value[], indent: number, lines: string[]): void {
  const pad = ' '.repeat(indent)
  for (const item of items) {
    const inline = renderInline(item, indent)
    lines.push(inline === undefined ? `${pad}-` : `${pad}- ${inline}`)
    if (inline === undefined) renderBelow(item, indent + 2, lines)
  }
}

/** Further lines of a text are indented: in the first column they would read as keys. */
export function renderScalar(value: Scalar, indent: number): string {
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
