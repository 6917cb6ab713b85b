import type { MatchItem, Matching } from './matching.ts'

type MayPair = (o: number, f: number) => boolean
type Suffices = (votes: number, continuedChildren: number) => boolean

const isMost: Suffices = (votes, all) => votes * 2 > all
const isHalf: Suffices = (votes, all) => votes * 2 >= all

/**
 * Matches parents by their children: the fresh parent with most of the continued children of an old one is that old
 * one, renamed. Bottom-up, so that matched children count for their own parent.
 */
export function matchByMostChildren(matching: Matching, mayPair: MayPair): void {
  for (let f = matching.fresh.length - 1; f >= 0; f--) matchParent(matching, f, isMost, mayPair)
}

/** Like `matchByMostChildren`, for a parent that was split or merged in equal halves: the first half continues it. */
export function matchByHalfOfChildren(matching: Matching): void {
  for (let f = 0; f < matching.fresh.length; f++) matchParent(matching, f, isHalf, () => true)
}

function matchParent(matching: Matching, f: number, suffices: Suffices, mayPair: MayPair): void {
  if (!matching.isFreshFree(f) || matching.freshChildren(f).length === 0) return
  const { type } = matching.fresh[f] as MatchItem
  const { votes, continued } = votesFor(matching, f)
  let best = -1
  for (const [o, count] of votes) {
    if ((matching.old[o] as MatchItem).type !== type || !matching.isOldFree(o) || !mayPair(o, f)) continue
    const lead = count - (votes.get(best) ?? 0)
    if (lead > 0 || (lead === 0 && o < best)) best = o
  }
  const count = votes.get(best)
  if (count === undefined || !suffices(count, continued)) return
  if (suffices(count, matching.continuedChildren[best] as number)) matching.pair(best, f)
}

/** How many children of the fresh parent come from each old parent, and in total. */
function votesFor(matching: Matching, f: number): { votes: Map<number, number>; continued: number } {
  const votes = new Map<number, number>()
  let continued = 0
  for (const child of matching.freshChildren(f)) {
    const o = matching.oldOf[child] as number
    if (o < 0) continue
    continued++
    const { parent } = matching.old[o] as MatchItem
    if (parent >= 0) votes.set(parent, (votes.get(parent) ?? 0) + 1)
  }
  return { votes, continued }
}
