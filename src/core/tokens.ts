const BEYOND_ASCII = /[^\0-\x7f]/

/** Bytes of `text` in UTF-8. A lone surrogate counts as the three bytes of U+FFFD it is written as. */
export function utf8Length(text: string): number {
  const first = text.search(BEYOND_ASCII)
  let bytes = text.length
  for (let i = first < 0 ? bytes : first; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code < 0x80) continue
    if (code < 0x800) bytes += 1
    else if (isPairAt(text, i, code)) {
      bytes += 2 // two units became four bytes
      i++
    } else bytes += 2
  }
  return bytes
}

/** The end of a slice that begins at `start` and has at most `maxBytes` UTF-8 bytes. Never inside a code point. */
export function utf8End(text: string, start: number, maxBytes: number): number {
  let left = maxBytes
  let i = start
  while (i < text.length) {
    const code = text.charCodeAt(i)
    const isPair = code >= 0x800 && isPairAt(text, i, code)
    left -= code < 0x80 ? 1 : code < 0x800 ? 2 : isPair ? 4 : 3
    if (left < 0) break
    i += isPair ? 2 : 1
  }
  return i
}

/** An estimate: one token per four UTF-8 bytes, rounded up; 0 for an empty text. */
export function estimateTokens(text: string): number {
  return Math.ceil(utf8Length(text) / 4)
}

function isPairAt(text: string, index: number, code: number): boolean {
  if (code < 0xd800 || code > 0xdbff) return false
  const next = text.charCodeAt(index + 1)
  return next >= 0xdc00 && next <= 0xdfff
}
