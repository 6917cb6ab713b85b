/** Parts of the schemas of structured results: short, because every client reads all of them. */

export const TEXT = { type: 'string' }
export const INTEGER = { type: 'integer' }
export const FLAG = { type: 'boolean' }
export const OBJECT = { type: 'object' }
export const TEXT_OR_NULL = orNull(TEXT)
export const INTEGER_OR_NULL = orNull(INTEGER)
export const NUMBER_OR_NULL = orNull({ type: 'number' })
export const OBJECT_OR_NULL = orNull(OBJECT)
export const TEXTS = { type: 'array', items: TEXT }

/** Not as a list of types: some clients cannot read one. */
function orNull(json: Record<string, unknown>): Record<string, unknown> {
  return { anyOf: [json, { type: 'null' }] }
}

/** An object that has all of these members. */
export function shape(properties: Record<string, unknown>): Record<string, unknown> {
  return { type: 'object', properties, required: Object.keys(properties) }
}

/** An object that may have these members. */
export function mayHave(properties: Record<string, unknown>): Record<string, unknown> {
  return { type: 'object', properties }
}

/** An object with these members, listed by name only. */
export function members(...names: string[]): Record<string, unknown> {
  return { type: 'object', required: names }
}

/** A list of such objects. */
export function rows(...names: string[]): Record<string, unknown> {
  return { type: 'array', items: members(...names) }
}
