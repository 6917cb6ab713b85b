/**
 * Takes secrets out of a text. Doing it twice changes nothing. `key` is the name under which the text is all of a value, in a
 * file that has names and values: a password is known by its name. `ingest/redact` has the one we use.
 */
export type Redact = (text: string, key?: string) => string

/** How many secrets were taken out, by kind. */
export type Redactions = Record<string, number>

/** What a kind may be called: its name stands in the marker. */
export const KIND_NAME = /^[a-z0-9_-]{1,64}$/

const MARKER = /«redacted:([a-z0-9_-]{1,64})»/g
const MARKER_START = '«redacted:'

/** What a text says where a secret was. */
export function redactionMarker(kind: string): string {
  return `${MARKER_START}${kind}»`
}

/** Where the markers of a text are, in order. */
export function* redactionMarkers(text: string): Generator<{ kind: string; start: number; end: number }> {
  if (!text.includes(MARKER_START)) return
  for (const { 0: marker, 1: kind = '', index } of text.matchAll(MARKER))
    yield { kind, start: index, end: index + marker.length }
}

/** What was taken out of a text from outside when it was redacted now. */
export function takenOut(text: string, redacted: string): Redactions {
  if (redacted === text) return {}
  const redactions = countRedactions([redacted])
  // What comes back with the markers of an earlier time is no new secret.
  for (const { kind } of redactionMarkers(text)) dropOne(redactions, kind)
  return redactions
}

function dropOne(counts: Redactions, kind: string): void {
  const left = (counts[kind] ?? 0) - 1
  if (left > 0) counts[kind] = left
  else delete counts[kind]
}

/** Adds the markers of `texts` to `counts`. */
export function countRedactions(texts: Iterable<string>, counts: Redactions = {}): Redactions {
  for (const text of texts)
    for (const { kind } of redactionMarkers(text)) counts[kind] = (counts[kind] ?? 0) + 1
  return counts
}
