import { matchByHalfOfChildren, matchByMostChildren } from './match-children.ts'
import { matchAlike, matchInPlace } from './match-edits.ts'
import { type Features, featuresOf } from './match-similarity.ts'
import {
  countFree,
  type Keys,
  keysOf,
  matchTwinsAnywhere,
  matchTwinsUnderSameParent,
  matchUnique,
} from './match-twins.ts'
import { type MatchItem, Matching } from './matching.ts'

export type { MatchItem } from './matching.ts'

export interface FreshItem extends MatchItem {
  text: string
}

/**
 * For every fresh item the index of the old item it continues, or -1: by text, wherever it is; twins by their parent,
 * their neighbours and their order; a renamed parent by its children. No old item is used twice. Both arrays are one
 * document in pre-order.
 */
export function matchExact(old: readonly MatchItem[], fresh: readonly FreshItem[]): Int32Array {
  if (isSameButOne(old, fresh)) return Int32Array.from(old.keys())
  const matching = new Matching(old, fresh)
  const keys = keysOf(old, fresh, (item) => `${item.type} ${item.digest}`)
  matchUnique(matching, keys)
  const isTwin = (o: number, f: number): boolean => keys.old[o] === keys.fresh[f]
  matchByMostChildren(matching, isTwin)
  matchTwinsUnderSameParent(matching, keys)
  matchRenamedParents(matching, keys)
  matchTwinsUnderSameParent(matching, keys)
  matchTwinsAnywhere(matching, keys, 'parents')
  matchTwinsUnderSameParent(matching, keys)
  matchTwinsAnywhere(matching, keys, 'all')
  matchChangedTypes(matching, fresh)
  return matching.oldOf
}

/** The old items whose text `matchSimilar` compares, ascending. Empty if there is nothing to compare them with. */
export function listUnmatchedOld(old: readonly MatchItem[], pairs: Int32Array): number[] {
  if (!pairs.includes(-1)) return []
  const isMatched = new Uint8Array(old.length)
  for (const o of pairs) if (o >= 0) isMatched[o] = 1
  return [...old.keys()].filter((o) => isMatched[o] === 0)
}

/**
 * `pairs` of `matchExact`, plus blocks whose text was edited: by similarity, by children, by place. `oldTexts` has the
 * text of each of `listUnmatchedOld`; an item without one can only be matched by its place.
 */
export function matchSimilar(
  old: readonly MatchItem[],
  fresh: readonly FreshItem[],
  pairs: Int32Array,
  oldTexts: ReadonlyMap<number, string>,
): Int32Array {
  if (listUnmatchedOld(old, pairs).length === 0) return pairs
  const matching = new Matching(old, fresh, pairs)
  const texts = {
    old: remember(old.length, (o) => featuresOf(oldTexts.get(o) ?? '')),
    fresh: remember(fresh.length, (f) => featuresOf((fresh[f] as FreshItem).text)),
  }
  const searched = matchAlike(matching, texts)
  matchByMostChildren(matching, () => true)
  matchByHalfOfChildren(matching)
  matchInPlace(matching, texts, searched)
  return matching.oldOf
}

/** Everything is in its place, and at most one text differs, which occurs nowhere else, like its predecessor. */
function isSameButOne(old: readonly MatchItem[], fresh: readonly MatchItem[]): boolean {
  if (old.length !== fresh.length) return false
  let edit: { before: string; after: string } | undefined
  for (const [index, { parent, type, digest }] of old.entries()) {
    const other = fresh[index] as MatchItem
    if (parent !== other.parent || type !== other.type) return false
    if (digest === other.digest) continue
    if (edit) return false
    edit = { before: digest, after: other.digest }
  }
  return !edit || !(hasText(old, edit.after) || hasText(fresh, edit.before))
}

function hasText(items: readonly MatchItem[], wanted: string): boolean {
  return items.some(({ digest }) => digest === wanted)
}

/** Leaves items with a twin alone: only a text that was added or removed can be a new name. */
function matchRenamedParents(matching: Matching, keys: Keys): void {
  const free = countFree(matching, keys)
  const isRenamed = (o: number, f: number): boolean =>
    free.fresh[keys.old[o] as number] === 0 && free.old[keys.fresh[f] as number] === 0
  matchByMostChildren(matching, isRenamed)
}

/** The same text with another type, such as a line that became a heading. An empty text does not count. */
function matchChangedTypes(matching: Matching, fresh: readonly FreshItem[]): void {
  const keys = keysOf(matching.old, fresh, (item) => item.digest)
  for (const [f, { text }] of fresh.entries()) if (text.trim() === '') keys.fresh[f] = -1
  matchTwinsAnywhere(matching, keys, 'all')
}

function remember(length: number, compute: (index: number) => Features): (index: number) => Features {
  const known: Features[] = new Array(length)
  return (index) => (known[index] ??= compute(index))
}
