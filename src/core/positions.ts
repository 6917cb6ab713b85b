import { generateNKeysBetween } from 'fractional-indexing'
import { longestIncreasingSubsequence } from './sequence.ts'

/** `count` positions in order, after `after` and before `before`; null means open on that side. */
export function positionsBetween(after: string | null, before: string | null, count: number): string[] {
  return generateNKeysBetween(after, before, count)
}

/** Whether positions can be placed before and after it. */
export function isPosition(text: string): boolean {
  try {
    positionsBetween(text, null, 1)
    positionsBetween(null, text, 1)
    return /^[0-9A-Za-z]+$/.test(text)
  } catch {
    return false
  }
}

/**
 * Positions for siblings in their new order, some of which have one already: as many as possible keep theirs, so that
 * inserting, removing or moving one sibling does not touch the others. A sibling that returns gets its `remembered`
 * position if that is free, so that restoring a state restores its digest.
 */
export function arrange(
  previous: readonly (string | null)[],
  bounds: Bounds = OPEN,
  remembered?: readonly (string | null)[],
): string[] {
  const kept = choosePositionsToKeep(previous, bounds)
  const positions: string[] = []
  let start = 0
  let after = bounds.after
  for (let end = 0; end <= previous.length; end++) {
    if (end < previous.length && !kept[end]) continue
    const before = end < previous.length ? (previous[end] as string) : bounds.before
    const between = remembered
      ? arrange(remembered.slice(start, end), { after, before })
      : positionsBetween(after, before, end - start)
    for (const position of between) positions.push(position)
    if (end < previous.length) positions.push(before as string)
    after = before
    start = end + 1
  }
  return positions
}

export interface Bounds {
  after: string | null
  before: string | null
}
const OPEN: Bounds = { after: null, before: null }

function choosePositionsToKeep(previous: readonly (string | null)[], bounds: Bounds): boolean[] {
  const usable = previous.map((position) => position !== null && isWithin(position, bounds))
  const order = [...new Set(previous.filter((position) => position !== null))].sort(compare)
  const rank = new Map(order.map((position, place) => [position, place]))
  const candidates = previous.flatMap((position, place) => (usable[place] ? [{ place, position }] : []))
  const mask = longestIncreasingSubsequence(
    candidates.map(({ position }) => rank.get(position as string) ?? 0),
  )
  const kept = new Array<boolean>(previous.length).fill(false)
  candidates.forEach(({ place }, candidate) => {
    kept[place] = mask[candidate] === 1
  })
  return kept
}

function isWithin(position: string, { after, before }: Bounds): boolean {
  return (after === null || position > after) && (before === null || position < before)
}

/** Positions compare by code unit, in JavaScript and in every store. */
export function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
