/**
 * Models, and programs between them and the server, put quotes around numbers, flags, lists and objects. A text that parses as one is
 * converted; everything else stays unchanged, to be refused.
 */

export function unquoteNumber(value: unknown): unknown {
  return typeof value === 'string' && /^\s*-?\d+(\.\d+)?\s*$/.test(value) ? Number(value) : value
}

/** `True` too: some of these programs are written in Python. */
export function unquoteFlag(value: unknown): unknown {
  if (typeof value !== 'string') return value
  const word = value.trim().toLowerCase()
  return word === 'true' ? true : word === 'false' ? false : value
}

/** A list or an object that was sent as its JSON. */
export function unquoteJson(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}
