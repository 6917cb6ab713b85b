/**
 * How every node's text is stored: LF line ends, no spaces at line ends, at most one blank line in a row, no
 * newline at either end. Indentation and inner spaces stay.
 */
export function compressWhitespace(text: string): string {
  const unix = normalizeNewlines(text)
  return isCompressed(unix) ? unix : compressLines(unix)
}

/** A text from outside as a node may hold it: well-formed, without NUL, white space as everywhere. */
export function normalizeText(text: string): string {
  return compressWhitespace(withoutNul(text.toWellFormed()))
}

export function withoutNul(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '\ufffd') : text
}

/** The text of a file: no BOM, LF line ends, no NUL and no half of a surrogate pair. */
export function normalizeSource(text: string): string {
  const source = normalizeNewlines(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text)
  return withoutNul(source.toWellFormed())
}

/** CRLF and lone CR become LF. */
export function normalizeNewlines(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text
}

/** Most texts need no change; five searches are far cheaper than taking the lines apart. */
function isCompressed(text: string): boolean {
  if (text === '') return true
  return (
    !isBlank(text.charCodeAt(text.length - 1)) &&
    text.charCodeAt(0) !== LF &&
    !text.includes(' \n') &&
    !text.includes('\t\n') &&
    !text.includes('\n\n\n')
  )
}

function compressLines(text: string): string {
  const lines: string[] = []
  for (const raw of text.split('\n')) {
    const line = stripTrailingBlanks(raw)
    if (line !== '' || (lines.length > 0 && lines.at(-1) !== '')) lines.push(line)
  }
  if (lines.at(-1) === '') lines.pop()
  return lines.join('\n')
}

/** By hand: `/[ \t]+$/` takes quadratic time on a long run of inner spaces. */
function stripTrailingBlanks(line: string): string {
  let end = line.length
  while (end > 0 && isBlank(line.charCodeAt(end - 1))) end--
  return line.slice(0, end)
}

const LF = 10

function isBlank(code: number): boolean {
  return code === 32 || code === 9 || code === LF
}
