/** The index nearest to `at`, at or before it, that is not inside a surrogate pair. Never past the end. */
export function characterAt(text: string, at: number): number {
  const isHalved = /[\ud800-\udbff]/.test(text[at - 1] ?? '') && /[\udc00-\udfff]/.test(text[at] ?? '')
  return Math.min(isHalved ? at - 1 : at, text.length)
}

/** The index after the whole character at `start`. */
export function characterEnd(text: string, start: number): number {
  return Math.min(start + ((text.codePointAt(start) ?? 0) > 0xffff ? 2 : 1), text.length)
}
