/**
 * A place in an answer that has several parts, such as a row and a character of it: `7:3960`. With a point between them it would be a
 * number, and a model that sends `1.100` as one sends 1.1.
 */
export function joinCursor(...parts: readonly (string | number)[]): string {
  return parts.join(':')
}

/** Answers had a point between the parts once: that is read, too. */
export function splitCursor(cursor: string): string[] {
  return cursor.split(/[:.]/)
}

/** `25FHWVYdid1:3960`: a name, and a number of characters. Anything else is all name. */
export function splitPlace(cursor: string): { name: string; from?: number } {
  const [name = '', from = '', ...others] = splitCursor(cursor)
  return others.length === 0 && /^\d{1,9}$/.test(from) ? { name, from: Number(from) } : { name: cursor }
}
