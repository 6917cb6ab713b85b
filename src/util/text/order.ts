import { byCodePoint } from './code-points.ts'

export type Place = string | number | null

/** Orders by the first difference: null before numbers, numbers before texts, and texts by code point. */
export function by<R>(placesOf: (row: R) => readonly Place[]): (a: R, b: R) => number {
  return (a, b) => comparePlaces(placesOf(a), placesOf(b))
}

export function comparePlaces(a: readonly Place[], b: readonly Place[]): number {
  for (const [at, one] of a.entries()) {
    const order = compare(one, b[at] ?? null)
    if (order !== 0) return order
  }
  return a.length - b.length
}

function compare(a: Place, b: Place): number {
  if (typeof a === 'string' && typeof b === 'string') return byCodePoint(a, b)
  if (typeof a === 'number' && typeof b === 'number') return a === b ? 0 : a < b ? -1 : 1
  return rank(a) - rank(b)
}

function rank(place: Place): number {
  return place === null ? 0 : typeof place === 'number' ? 1 : 2
}
