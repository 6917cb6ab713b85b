const MAX_QUOTED = 100

/** A value of JSON as an error quotes it: on one line, and not all of a long one. */
export function quoted(value: unknown): string {
  const json = JSON.stringify(value) ?? String(value)
  return json.length <= MAX_QUOTED ? json : `${json.slice(0, MAX_QUOTED)}…`
}
