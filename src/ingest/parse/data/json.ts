import type { Block } from '../../../core/model.ts'
import { ParseError } from '../../../core/parse-error.ts'
import type { ParseOptions } from '../parse-options.ts'
import { checkValues } from '../part-limit.ts'
import { splitBlocks } from '../split.ts'
import { normalizeSource } from '../whitespace.ts'
import { JsonReader } from './json-reader.ts'
import { structuredBlocks } from './structured.ts'

/** Compiled, everything that was ever forgotten would be remembered again. */
const EXPORT = /^\uFEFF?\{"remindb":"export"/

/** The nodes of a JSON file, which is one value. Throws ParseError. */
export function parseJson(text: string, options: ParseOptions): Block[] {
  checkValues(text)
  const reader = new JsonReader(normalizeSource(text))
  // An empty file is nothing yet, not something wrong.
  if (reader.isAtEnd()) return []
  const value = reader.readValue()
  if (!reader.isAtEnd()) reader.fail('expected the end after one value')
  return splitBlocks(structuredBlocks(value, options), options)
}

/** The nodes of consecutive JSON values, normally one per line: one list of all of them. Throws ParseError. */
export function parseJsonLines(text: string, options: ParseOptions): Block[] {
  if (EXPORT.test(text))
    throw new ParseError(
      'is an export of a memory; `remindb import` reads it, .remindb/ignore leaves it out',
      1,
    )
  checkValues(text)
  const reader = new JsonReader(normalizeSource(text))
  const records: unknown[] = []
  while (!reader.isAtEnd()) records.push(reader.readValue())
  return records.length === 0 ? [] : splitBlocks(structuredBlocks(records, options), options)
}
