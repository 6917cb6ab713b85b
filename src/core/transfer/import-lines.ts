import { MemoryError } from '../errors.ts'

/** No line of an export is longer: such a text cannot be stored. */
export const MAX_LINE_BYTES = 256 * 1024 * 1024
/** Brackets, numbers and names: a line of only these would fill the memory with empty objects. */
const MAX_STRUCTURE_LENGTH = 8 * 1024 * 1024
const NEWLINE = 0x0a

export interface JsonLine {
  /** From 1. */
  number: number
  value: unknown
}

/** The lines of an untrusted file, parsed as JSON one by one. Throws INVALID_INPUT. */
export async function* jsonLines(
  source: AsyncIterable<Uint8Array>,
  maxBytes = MAX_LINE_BYTES,
): AsyncGenerator<JsonLine> {
  let number = 0
  for await (const bytes of splitLines(source, maxBytes)) {
    number++
    if (number === 1 && bytes[0] === 0x1f && bytes[1] === 0x8b)
      throw new MemoryError('INVALID_INPUT', 'the file is compressed; unpack it first (`gunzip`)')
    const text = decode(bytes, number)
    // An editor may have left blank lines at the end.
    if (text.trim() !== '') yield { number, value: parse(text, number) }
  }
}

export function lineError(number: number, problem: string, cause?: unknown): MemoryError {
  return new MemoryError('INVALID_INPUT', `line ${number}: ${problem}; nothing was imported`, { cause })
}

async function* splitLines(source: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  let parts: Uint8Array[] = []
  let length = 0
  let number = 1
  for await (const chunk of source) {
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      yield join([...parts, chunk.subarray(start, end)])
      parts = []
      length = 0
      start = end + 1
      number++
    }
    parts.push(chunk.subarray(start))
    length += chunk.length - start
    if (length > maxBytes) throw lineError(number, 'is longer than any line of an export')
  }
  if (length > 0) yield join(parts)
}

function join(parts: Uint8Array[]): Uint8Array {
  if (parts.length === 1) return parts[0] as Uint8Array
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

const decoder = new TextDecoder('utf-8', { fatal: true })

function decode(bytes: Uint8Array, number: number): string {
  try {
    return decoder.decode(bytes)
  } catch (error) {
    throw lineError(number, 'is not UTF-8', error)
  }
}

function parse(text: string, number: number): unknown {
  if (text.length > MAX_STRUCTURE_LENGTH && structureLength(text) > MAX_STRUCTURE_LENGTH)
    throw lineError(number, 'has more structure than any line of an export')
  try {
    return JSON.parse(text)
  } catch {
    // Without the cause: its message quotes the line.
    throw lineError(number, number === 1 ? 'is not the header of an export of remindb' : 'is not JSON')
  }
}

/** How much of a line is outside of quoted strings. */
function structureLength(text: string): number {
  let length = 0
  for (let at = 0; at < text.length; ) {
    const open = text.indexOf('"', at)
    if (open < 0) return length + text.length - at
    length += open - at + 2
    at = closingQuote(text, open) + 1
  }
  return length
}

function closingQuote(text: string, open: number): number {
  for (let at = text.indexOf('"', open + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let slashes = 0
    while (text[at - 1 - slashes] === '\\') slashes++
    if (slashes % 2 === 0) return at
  }
  return text.length
}
