import { compactJsonPieces } from '../util/json-pieces.ts'
import { printableJson } from '../util/terminal-text.ts'
import { MemoryError } from './errors.ts'
import { MAX_ANSWER } from './page.ts'

/** The text of a resource: compact JSON. `paged` is the URI of a page, for who asked for more than one answer can have. */
export function envelopeText(
  envelope: object,
  { paged, max = MAX_ANSWER }: { paged?: string; max?: number } = {},
): string {
  const text = stringified(envelope) ?? inPieces(envelope, max)
  if (text !== undefined && text.length <= max) return text
  const advice = paged === undefined ? '' : `; read it in pages: ${paged}`
  throw new MemoryError('INVALID_INPUT', `this is too large for one answer${advice}`)
}

/** Undefined for what is too large, or too deep. */
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
