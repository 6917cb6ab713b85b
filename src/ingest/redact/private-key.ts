import type { Hit } from './hit.ts'

const BEGIN = /-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----/g
const END = /-----END (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----/g
/** The longest keys in use take 13 KB; a page that mentions both lines far apart is not swallowed. */
const MAX_LENGTH = 32 * 1024
/** What a key that was cut off still says. Nothing follows, so there is nothing to go back for. */
const KEY_LINES = /(?:(?:\s|\\[nrt])*[A-Za-z0-9+/=]{24,})*/y

/** Private keys from their first line to their last, or as far as they go where the last line is missing. The first line alone is none. */
export function* findPrivateKeys(text: string): Generator<Omit<Hit, 'kind'>> {
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
    const end = last && last.index < next ? last.index + last[0].length : endOfLines(text, body)
    if (end === body) continue
    done = end
    yield { start, from: start, end }
  }
}

function endOfLines(text: string, start: number): number {
  KEY_LINES.lastIndex = start
  return start + (KEY_LINES.exec(text)?.[0].length ?? 0)
}
