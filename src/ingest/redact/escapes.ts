/** How texts inside texts write a character: `\\n`, `\\u003d`, `%3D`, and the colours of a terminal. */
const ESCAPES = [
  '\\\\[nrtbfv0]',
  '\\\\u[0-9A-Fa-f]{4}',
  '\\\\x[0-9A-Fa-f]{2}',
  '%[0-9A-Fa-f]{2}',
  '\\x1b\\[[0-9;]{0,10}m',
]

/** Where a word may begin: not after one of `letters`, unless that letter is the end of an escape. */
export function afterEscape(letters: string): string {
  return `(?:(?<!${letters})|(?<=${ESCAPES.join('|')}))`
}
