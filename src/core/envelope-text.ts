import { compactJsonPieces } from '../util/text/json-pieces.ts'
import { printableJson } from '../util/text/printable.ts'
import { MemoryError } from './errors.ts'
import { MAX_ANSWER } from './page.ts'

export interface EnvelopeOptions {
  /** The URI of a page, to suggest when the answer is too large. */
  paged?: string
  max?: number
}

/** The text of a resource: compact JSON. */
export function envelopeText(envelope: object, { paged, max = MAX_ANSWER }: EnvelopeOptions = {}): string {
  const text = stringified(envelope) ?? inPieces(envelope, max)
  if (text !== undefined && text.length <= max) return text
  throw tooLarge(paged)
}

/**
 * The text of an envelope that holds one list. Items arrive in batches, and each batch is written before the next is
 * read.
 */
export async function listEnvelopeText(
  name: string,
  read: (take: (items: readonly object[]) => void) => Promise<void>,
  { paged, max = MAX_ANSWER }: EnvelopeOptions = {},
): Promise<string> {
  const pieces: string[] = []
  // The first batch has no comma before it.
  let left = max - `{"${name}":[]}`.length + 1
  await read((items) => {
    if (items.length === 0) return
    const list = envelopeText(items, { ...(paged !== undefined && { paged }), max })
    left -= list.length - 1
    if (left < 0) throw tooLarge(paged)
    pieces.push(list.slice(1, -1))
  })
  return `{"${name}":[${pieces.join(',')}]}`
}

function tooLarge(paged: string | undefined): MemoryError {
  const advice = paged === undefined ? '' : `; read it in pages: ${paged}`
  return new MemoryError('INVALID_INPUT', `this is too large for one answer${advice}`)
}

/** Undefined if it is too large or too deep. */
function stringified(envelope: object): string | undefined {
  try {
    return printableJson(JSON.stringify(envelope))
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** A tree may be deeper than JSON.stringify can go. */
function inPieces(envelope: object, max: number): string | undefined {
  const pieces: string[] = []
  let length = 0
  for (const piece of compactJsonPieces(envelope)) {
    length += piece.length
    if (length > max) return undefined
    pieces.push(piece)
  }
  return pieces.join('')
}
