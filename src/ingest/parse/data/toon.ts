import type { Block } from '../../../core/model.ts'
import type { ParseOptions } from '../parse-options.ts'
import { splitBlocks } from '../split.ts'
import { normalizeSource } from '../whitespace.ts'
import { structuredBlocks } from './structured.ts'
import { decodeToon } from './toon-decode.ts'

/** The nodes of a TOON file. Throws ParseError. */
export function parseToon(text: string, options: ParseOptions): Block[] {
  const source = normalizeSource(text)
  if (source.trim() === '') return []
  return splitBlocks(structuredBlocks(decodeToon(source), options), options)
}
