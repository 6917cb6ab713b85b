import type { Hit } from './text/hit.ts'

const BEGIN = /-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----/g
const END = /-----END (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----/g
/** The longest keys in use take 13 KB. */
const MAX_LENGTH = 32 * 1024
/** The rest of a truncated key. Nothing follows, so there is no need to backtrack. */
const KEY_LINES = /(?:(?:\s|\\[nrt])*[A-Za-z0-9+/=]{24,})*/y

/** Line ends, also as a quoted text writes them. */
const LINE_END = /\n|\\r\\n|\\[nr]/
/** Text before and after a line of a key in a quotation, a list, a comment, a table or the source of a program. */
const PREFIX = /^(?:\d{1,5}[.):|]?\s)?[\s>|#*"'`,;\\+/-]*/
const AFTER = ' \t\r|*"\'`,;\\+'
const HEADER = /^[A-Za-z][A-Za-z-]{1,40}: /
/** One line may have several if line ends became blanks: all but the last are long, unlike words. */
const DATA = /^(?:[A-Za-z0-9+/=]{24,} +)*[A-Za-z0-9+/=]+(?:\.{3}|…)?$/
const WORD = /^[A-Za-z]?[a-z]*$/
const DATA_FIRST = /^[A-Za-z0-9+/=]{24}/
const FOLDED_HEADERS = /^(?:[A-Za-z][A-Za-z-]{1,40}: \S+\s+)+/

/** Private keys from their first line to their last, or to the end of their data if that is missing. The first line alone is not a key. */
export function findPrivateKeys(text: string): Omit<Hit, 'kind'>[] {
  if (!text.includes('PRIVATE KEY')) return []
  const keys: Omit<Hit, 'kind'>[] = []
  const begins = [...text.matchAll(BEGIN)]
  const ends = [...text.matchAll(END)]
  let at = 0
  let done = 0
  for (const [place, { 0: line, index: start }] of begins.entries()) {
    if (start < done) continue
    while (at < ends.length && (ends[at] as RegExpExecArray).index < start) at++
    const next = Math.min(begins[place + 1]?.index ?? text.length, start + MAX_LENGTH)
    const last = ends[at]
    const body = start + line.length
    const isWhole = last !== undefined && last.index < next && isKey(text.slice(body, last.index))
    const end = isWhole ? last.index + last[0].length : endOfLines(text, body)
    if (end === body) continue
    done = end
    keys.push({ start, from: start, end })
  }
  return keys
}

/** A page that mentions the first and the last line of a key has something else between them. */
function isKey(body: string): boolean {
  let hasData = false
  for (const raw of body.split(LINE_END)) {
    const line = trimmed(raw)
    if (DATA.test(line)) hasData ||= !WORD.test(line)
    else if (line !== '' && (hasData || !HEADER.test(line))) return false
    else if (DATA_FIRST.test(line.replace(FOLDED_HEADERS, ''))) hasData = true
  }
  return hasData
}

/** Manually at the end: an expression would search for it from every position. */
function trimmed(raw: string): string {
  const line = raw.replace(PREFIX, '')
  let end = line.length
  while (end > 0 && AFTER.includes(line[end - 1] as string)) end--
  return line.slice(0, end)
}

function endOfLines(text: string, start: number): number {
  KEY_LINES.lastIndex = start
  return start + (KEY_LINES.exec(text)?.[0].length ?? 0)
}
