const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const OPENING = new Set([0x5b, 0x7b])
const CLOSING = new Set([0x5d, 0x7d])

export interface JsonShape {
  /** How deep lists and objects are nested. */
  depth: number
  /** The number of lists and objects, and of values after the first in each. */
  parts: number
}

/**
 * The shape of a JSON text, counted up to `most`. Parsing is cheap; code that walks the value afterwards may run out of
 * stack or time.
 */
export function shapeOf(json: string, most: JsonShape): JsonShape {
  const shape = { depth: 0, parts: 0 }
  let level = 0
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at)
    if (code === QUOTE) at = endOfString(json, at)
    else if (code === COMMA) shape.parts++
    else if (OPENING.has(code)) {
      shape.parts++
      shape.depth = Math.max(shape.depth, ++level)
    } else if (CLOSING.has(code)) level--
    if (shape.depth > most.depth || shape.parts > most.parts) break
  }
  return shape
}

/** The index of the closing quote; the end of the text if there is none. */
function endOfString(json: string, start: number): number {
  let at = start + 1
  while (at < json.length && json.charCodeAt(at) !== QUOTE) at += json.charCodeAt(at) === BACKSLASH ? 2 : 1
  return at
}
