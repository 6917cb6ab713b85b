import { createSimilarityIndex, type Features, similarity } from './match-similarity.ts'
import type { MatchItem, Matching, Unmatched } from './matching.ts'

export interface EditedTexts {
  old: (o: number) => Features
  fresh: (f: number) => Features
}

interface Candidate {
  o: number
  f: number
  score: number
}

/** The nearer to its old place, the less similar a block must be, and the earlier it is chosen. */
interface Place {
  threshold: number
  bonus: number
}
const SAME_GAP: Place = { threshold: 0.25, bonus: 0.25 }
const SAME_PARENT: Place = { threshold: 0.5, bonus: 0.1 }
const ELSEWHERE: Place = { threshold: 0.5, bonus: 0 }
const OTHER_TYPE_PENALTY = 0.15

/**
 * Up to this many pairs, all items of a gap are compared; beyond that, each with those at about the same place in the
 * gap.
 */
const MAX_PAIRS_PER_GAP = 256
const BAND = 4

/**
 * Matches edited blocks anywhere, most similar first. Returns the fresh parents whose gaps were searched: the rest in
 * them is not similar.
 */
export function matchAlike(matching: Matching, texts: EditedTexts): Set<number> {
  const searched = new Set<number>()
  const candidates: Candidate[] = []
  const gapOfOld = new Map<number, Unmatched>()
  const gapOfFresh = new Map<number, Unmatched>()
  matching.forEachOpenPair((oldParent, freshParent) => {
    searched.add(freshParent)
    for (const gap of matching.gapsBetween(oldParent, freshParent)) {
      for (const o of gap.old) gapOfOld.set(o, gap)
      for (const f of gap.fresh) gapOfFresh.set(f, gap)
      collectFromGap(matching, texts, gap, candidates)
    }
  })
  const free = [...matching.freshOf.keys()].filter((o) => matching.isOldFree(o))
  const findAlike = createSimilarityIndex(free.map(texts.old))
  for (let f = 0; f < matching.fresh.length; f++) {
    if (!matching.isFreshFree(f)) continue
    for (const at of findAlike(texts.fresh(f))) {
      const o = free[at] as number
      const gap = gapOfOld.get(o)
      const place = gap && gap === gapOfFresh.get(f) ? SAME_GAP : placeOf(matching, o, f)
      const candidate = compare(matching, texts, { o, f, place })
      if (candidate) candidates.push(candidate)
    }
  }
  pairBest(matching, candidates)
  return searched
}

/**
 * Matches blocks edited in place, top-down: between the same neighbours the similar ones, unless their parent is in
 * `searched`, then, beyond recognition, as many of one type as there were before, in order.
 */
export function matchInPlace(matching: Matching, texts: EditedTexts, searched: ReadonlySet<number>): void {
  matching.forEachOpenPair((oldParent, freshParent) => {
    if (!searched.has(freshParent)) {
      const candidates: Candidate[] = []
      for (const gap of matching.gapsBetween(oldParent, freshParent)) {
        collectFromGap(matching, texts, gap, candidates)
      }
      pairBest(matching, candidates)
    }
    // Again: matches split their gap.
    for (const gap of matching.gapsBetween(oldParent, freshParent)) pairEvenTypes(matching, gap)
  })
}

function pairEvenTypes(matching: Matching, gap: Unmatched): void {
  const old = Map.groupBy(gap.old, (o) => (matching.old[o] as MatchItem).type)
  const fresh = Map.groupBy(gap.fresh, (f) => (matching.fresh[f] as MatchItem).type)
  for (const [type, olds] of old) {
    const freshes = fresh.get(type)
    if (freshes?.length !== olds.length) continue
    for (const [at, o] of olds.entries()) matching.pair(o, freshes[at] as number)
  }
}

function placeOf(matching: Matching, o: number, f: number): Place {
  const { parent } = matching.old[o] as MatchItem
  const continued = parent < 0 ? -1 : (matching.freshOf[parent] as number)
  if (parent >= 0 && continued < 0) return ELSEWHERE
  return (matching.fresh[f] as MatchItem).parent === continued ? SAME_PARENT : ELSEWHERE
}

function collectFromGap(matching: Matching, texts: EditedTexts, gap: Unmatched, into: Candidate[]): void {
  const { old, fresh } = gap
  const isSmall = old.length * fresh.length <= MAX_PAIRS_PER_GAP
  for (const [at, f] of fresh.entries()) {
    const level = Math.floor((at * old.length) / fresh.length)
    const nearby = isSmall ? old : old.slice(Math.max(0, level - BAND), level + BAND + 1)
    for (const o of nearby) {
      const candidate = compare(matching, texts, { o, f, place: SAME_GAP })
      if (candidate) into.push(candidate)
    }
  }
}

/** Undefined if they are not similar enough. */
function compare(
  matching: Matching,
  texts: EditedTexts,
  { o, f, place }: { o: number; f: number; place: Place },
): Candidate | undefined {
  const isSameType = (matching.old[o] as MatchItem).type === (matching.fresh[f] as MatchItem).type
  const penalty = isSameType ? 0 : OTHER_TYPE_PENALTY
  const alike = similarity(texts.old(o), texts.fresh(f), place.threshold + penalty)
  return alike > 0 ? { o, f, score: alike - penalty + place.bonus } : undefined
}

function pairBest(matching: Matching, candidates: Candidate[]): void {
  candidates.sort((a, b) => b.score - a.score || a.o - b.o || a.f - b.f)
  for (const { o, f } of candidates) matching.pair(o, f)
}
