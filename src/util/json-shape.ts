const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPENING = new Set([0x5b, 0x7b])
const CLOSING = new Set([0x5d, 0x7d])

/**
 * Whether JSON has lists and objects in each other deeper than `max`. Parsing such a text costs little, and whoever walks
 * through the value afterwards runs out of stack.
 */
export function isDeeperThan(json: string, max: number): boolean {
  let depth = 0
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at)
    if (code === QUOTE) at = endOfString(json, at)
    else if (OPENING.has(code)) {
      if (++depth > max) return true
    } else if (CLOSING.has(code)) depth--
  }
  return false
}

/** Where the quote is that ends it; the end of the text if there is none. */
function endOfString(json: string, start: number): number {
  let at = start + 1
  while (at < json.length && json.charCodeAt(at) !== QUOTE) at += json.charCodeAt(at) === BACKSLASH ? 2 : 1
  return at
}
