/** What `memory://` has besides keys: a key of such a name is behind `_key/`. */
export const RESERVED_NAMES = ['recent', 'core', 'learnings', 'tasks', 'custom'] as const

const SCHEME = 'memory://'

/** Percent-encoded so that any tool for URIs reads it, and that decoding once gives the key. */
export function keyUri(key: string): string {
  const isReserved = key.startsWith('_') || RESERVED_NAMES.some((name) => name === key)
  return `${SCHEME}${isReserved ? '_key/' : ''}${encodeKey(key)}`
}

/** All but letters, digits and `-_.~`. */
export function encodeKey(key: string): string {
  return encodeURIComponent(key).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
