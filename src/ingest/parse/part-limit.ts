import { ParseError } from '../../core/parse-error.ts'
import { shapeOf } from '../../util/text/json-shape.ts'

/** Of a compiled file: blocks of Markdown. Each takes about a kilobyte while the file is parsed. */
export const MAX_FILE_BLOCKS = 500_000
/** Of a compiled file: tags of HTML, lists, objects and values of JSON. */
const MAX_PARTS = 2_000_000

/** Refuses HTML with so many tags that its tree would take far more memory than its text. */
export function checkTags(source: string): void {
  let count = 0
  for (let at = source.indexOf('<'); at >= 0; at = source.indexOf('<', at + 1)) count++
  if (count > MAX_PARTS) throw new ParseError(`has ${count} tags; at most ${MAX_PARTS} are read: split it`)
}

/** Refuses JSON with so many values that they would take far more memory than its text. */
export function checkValues(source: string): void {
  const { parts } = shapeOf(source, { depth: Number.POSITIVE_INFINITY, parts: MAX_PARTS })
  if (parts > MAX_PARTS)
    throw new ParseError(`has more than ${MAX_PARTS} values, the most that are read; split it`)
}
