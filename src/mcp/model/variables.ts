import { MemoryError } from '../../core/errors.ts'
import type { PageInput } from '../../core/page.ts'
import { short } from './uri.ts'

type Variables = Record<string, string>

/** A variable of the path; `missing` is the message if it is empty. */
export function required(variables: Variables, name: string, missing: string): string {
  const value = variables[name]
  if (value === undefined) throw new MemoryError('INVALID_INPUT', missing)
  return value
}

/** `depth`, if it is given. */
export function depthIn({ depth }: Variables): { depth?: number } {
  return depth === undefined ? {} : { depth: wholeNumber('depth', depth, 0) }
}

/** `limit`, if it is given. */
export function limitIn({ limit }: Variables): { limit?: number } {
  return limit === undefined ? {} : { limit: wholeNumber('limit', limit, 1) }
}

/** The given ones of `cursor` and `limit`. */
export function pageIn(variables: Variables): PageInput {
  const { cursor } = variables
  return { ...limitIn(variables), ...(cursor === undefined ? {} : { cursor }) }
}

export function snapshotIn(variables: Variables): number {
  const id = required(variables, 'id', 'snapshot diffs uri missing snapshot id')
  return wholeNumber('snapshot id', id, 0)
}

function wholeNumber(name: string, text: string, min: number): number {
  const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  if (number >= min) return number
  throw new MemoryError('INVALID_INPUT', `invalid ${name} "${short(text)}"; give a whole number from ${min}`)
}
