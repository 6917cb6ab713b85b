/** Parts of the schemas of structured results: short, because every client reads all of them. */

export const TEXT = { type: 'string' }
export const INTEGER = { type: 'integer' }
export const FLAG = { type: 'boolean' }
export const OBJECT = { type: 'object' }
export const TEXT_OR_NULL = { type: ['string', 'null'] }
export const INTEGER_OR_NULL = { type: ['integer', 'null'] }
export const NUMBER_OR_NULL = { type: ['number', 'null'] }
export const TEXTS = { type: 'array', items: TEXT }

/** An object that has all of these members. */
export function shape(properties: Record<string, unknown>): Record<string, unknown> {
  return { type: 'object', properties, required: Object.keys(properties) }
}

/** An object that may have these members. */
export function mayHave(properties: Record<string, unknown>): Record<string, unknown> {
  return { type: 'object', properties }
}

/** An object with these members, of which only the names are told. */
export function members(...names: string[]): Record<string, unknown> {
  return { type: 'object', required: names }
}

/** A list of such objects. */
export function rows(...names: string[]): Record<string, unknown> {
  return { type: 'array', items: members(...names) }
}
