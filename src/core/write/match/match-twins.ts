import { longestCommonSubsequence } from '../../sequence.ts'
import type { MatchItem, Matching, Unmatched } from './matching.ts'

/** A number for each item that is equal for equal type and text. */
export interface Keys {
  old: Int32Array
  fresh: Int32Array
}

export function keysOf(
  old: readonly MatchItem[],
  fresh: readonly MatchItem[],
  nameOf: (item: MatchItem) => string,
): Keys {
  const known = new Map<string, number>()
  const keyOf = (item: MatchItem): number => {
    const name = nameOf(item)
    const key = known.get(name) ?? known.size
    if (key === known.size) known.set(name, key)
    return key
  }
  return { old: Int32Array.from(old, keyOf), fresh: Int32Array.from(fresh, keyOf) }
}

/** How many items of each key are still unmatched. */
export function countFree(matching: Matching, keys: Keys): { old: Int32Array; fresh: Int32Array } {
  const size = keys.old.length + keys.fresh.length
  const counts = { old: new Int32Array(size), fresh: new Int32Array(size) }
  keys.old.forEach((key, o) => {
    if (matching.isOldFree(o)) counts.old[key] = (counts.old[key] as number) + 1
  })
  keys.fresh.forEach((key, f) => {
    if (matching.isFreshFree(f)) counts.fresh[key] = (counts.fresh[key] as number) + 1
  })
  return counts
}

/** Items that occur once on either side match, wherever they are. */
export function matchUnique(matching: Matching, keys: Keys): void {
  const counts = countFree(matching, keys)
  const places = new Int32Array(counts.old.length)
  keys.old.forEach((key, o) => {
    places[key] = o
  })
  keys.fresh.forEach((key, f) => {
    if (counts.old[key] === 1 && counts.fresh[key] === 1) matching.pair(places[key] as number, f)
  })
}

/**
 * Twins under the same parent: in order if none was added or removed, otherwise by their neighbours, the rest in order.
 */
export function matchTwinsUnderSameParent(matching: Matching, keys: Keys): void {
  matching.forEachOpenPair((oldParent, freshParent) => {
    const old = matching.oldChildren(oldParent)
    const fresh = matching.freshChildren(freshParent)
    const twins = twinsAmong(matching, keys, { old, fresh })
    const uneven = twins.filter((group) => group.old.length !== group.fresh.length)
    for (const group of twins) {
      if (group.old.length === group.fresh.length) pairInOrder(matching, group)
    }
    if (uneven.length === 0) return
    for (const gap of matching.gapsBetween(oldParent, freshParent)) matchByNeighbours(matching, keys, gap)
    for (const group of uneven) pairInOrder(matching, group)
  })
}

function matchByNeighbours(matching: Matching, keys: Keys, gap: Unmatched): void {
  const oldSide = new Set(gap.old.map((o) => keys.old[o]))
  const fresh = gap.fresh.filter((f) => oldSide.has(keys.fresh[f]))
  const freshSide = new Set(fresh.map((f) => keys.fresh[f]))
  const old = gap.old.filter((o) => freshSide.has(keys.old[o]))
  const oldKeys = old.map((o) => keys.old[o] as number)
  const freshKeys = fresh.map((f) => keys.fresh[f] as number)
  for (const [a, b] of longestCommonSubsequence(oldKeys, freshKeys)) {
    matching.pair(old[a] as number, fresh[b] as number)
  }
}

/** Twins that moved to another parent, in document order. `parents`: only those with children. */
export function matchTwinsAnywhere(matching: Matching, keys: Keys, which: 'parents' | 'all'): void {
  const old = keys.old.map((_, o) => o)
  const fresh = keys.fresh.map((_, f) => f)
  const candidates =
    which === 'all'
      ? { old, fresh }
      : {
          old: old.filter((o) => matching.oldChildren(o).length > 0),
          fresh: fresh.filter((f) => matching.freshChildren(f).length > 0),
        }
  for (const group of twinsAmong(matching, keys, candidates)) pairInOrder(matching, group)
}

/** Unmatched items of equal key on both sides, one group for each key, in document order. */
function twinsAmong(
  matching: Matching,
  keys: Keys,
  items: { old: Int32Array; fresh: Int32Array },
): Unmatched[] {
  const groups = new Map<number, Unmatched>()
  for (const o of items.old) {
    if (!matching.isOldFree(o)) continue
    const key = keys.old[o] as number
    const group = groups.get(key)
    if (group) group.old.push(o)
    else groups.set(key, { old: [o], fresh: [] })
  }
  for (const f of items.fresh) {
    if (matching.isFreshFree(f)) groups.get(keys.fresh[f] as number)?.fresh.push(f)
  }
  return [...groups.values()].filter((group) => group.fresh.length > 0)
}

function pairInOrder(matching: Matching, twins: Unmatched): void {
  const old = twins.old.filter((o) => matching.isOldFree(o))
  const fresh = twins.fresh.filter((f) => matching.isFreshFree(f))
  for (let at = 0; at < old.length && at < fresh.length; at++) {
    matching.pair(old[at] as number, fresh[at] as number)
  }
}
