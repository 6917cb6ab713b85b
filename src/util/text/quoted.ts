const MAX_QUOTED = 100

/** A JSON value for error messages: on one line, and shortened if long. */
export function quoted(value: unknown): string {
  const json = JSON.stringify(value) ?? String(value)
  return json.length <= MAX_QUOTED ? json : `${json.slice(0, MAX_QUOTED)}…`
}
