/**
 * A position in an answer with several parts, such as a row and a character in it: `7:3960`. Not separated by a point:
 * a model that reads `1.100` as a number sends 1.1.
 */
export function joinCursor(...parts: readonly (string | number)[]): string {
  return parts.join(':')
}

/** Accepts a point too: earlier answers used it. */
export function splitCursor(cursor: string): string[] {
  return cursor.split(/[:.]/)
}

/** `25FHWVYdid1:3960`: a name and a number of characters. Anything else is a name. */
export function splitPlace(cursor: string): { name: string; from?: number } {
  const [name = '', from = '', ...others] = splitCursor(cursor)
  return others.length === 0 && /^\d{1,9}$/.test(from) ? { name, from: Number(from) } : { name: cursor }
}
