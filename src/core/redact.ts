/**
 * Removes secrets from a text. Idempotent. `key` is the name of the value that the text is, in a file of names and
 * values: a password is recognised by its name. `ingest/redact` implements it.
 */
export type Redact = (text: string, key?: string) => string

/** How many secrets were removed, by kind. */
export type Redactions = Record<string, number>

/** A valid name of a kind, as the marker contains it. */
export const KIND_NAME = /^[a-z0-9_-]{1,64}$/

const MARKER = /«redacted:([a-z0-9_-]{1,64})»/g
const MARKER_START = '«redacted:'

/** The text that replaces a secret. */
export function redactionMarker(kind: string): string {
  return `${MARKER_START}${kind}»`
}

/** The markers in a text, in order. */
export function* redactionMarkers(text: string): Generator<{ kind: string; start: number; end: number }> {
  if (!text.includes(MARKER_START)) return
  for (const { 0: marker, 1: kind = '', index } of text.matchAll(MARKER))
    yield { kind, start: index, end: index + marker.length }
}

/** The secrets removed from a new text by this redaction. */
export function countNewRedactions(text: string, redacted: string): Redactions {
  if (redacted === text) return {}
  const redactions = countRedactions([redacted])
  // A marker that the text already had is not a new secret.
  for (const { kind } of redactionMarkers(text)) dropOne(redactions, kind)
  return redactions
}

function dropOne(counts: Redactions, kind: string): void {
  const left = (counts[kind] ?? 0) - 1
  if (left > 0) counts[kind] = left
  else delete counts[kind]
}

/** Adds the markers in `texts` to `counts`. */
export function countRedactions(texts: Iterable<string>, counts: Redactions = {}): Redactions {
  for (const text of texts)
    for (const { kind } of redactionMarkers(text)) counts[kind] = (counts[kind] ?? 0) + 1
  return counts
}
