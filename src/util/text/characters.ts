/** The place in `text` nearest to `at` that is not between the halves of a character: before it. Never behind the text. */
export function characterAt(text: string, at: number): number {
  const isHalved = /[\ud800-\udbff]/.test(text[at - 1] ?? '') && /[\udc00-\udfff]/.test(text[at] ?? '')
  return Math.min(isHalved ? at - 1 : at, text.length)
}

/** Behind the character at `start`, whole. */
export function characterEnd(text: string, start: number): number {
  return Math.min(start + ((text.codePointAt(start) ?? 0) > 0xffff ? 2 : 1), text.length)
}
