import type { NodeType } from '../../model.ts'
import { longestIncreasingSubsequence } from '../../sequence.ts'

export interface MatchItem {
  /** Index of the parent in the same array, -1 for a root. */
  parent: number
  type: NodeType
  /** Of the text. */
  digest: string
}

/** Unmatched items that belong together, such as siblings between the same matched neighbours. */
export interface Unmatched {
  old: number[]
  fresh: number[]
}

/** The children of every item, also of the roots (-1), in document order. */
export type ChildrenOf = (parent: number) => Int32Array

/** A growing one-to-one relation between the old and the fresh items of one document, both in pre-order. */
export class Matching {
  readonly old: readonly MatchItem[]
  readonly fresh: readonly MatchItem[]
  readonly oldChildren: ChildrenOf
  readonly freshChildren: ChildrenOf
  /** For each fresh item the old one it continues, or -1. */
  readonly oldOf: Int32Array
  /** For each old item the fresh one that continues it, or -1. */
  readonly freshOf: Int32Array
  /** For each old item how many of its children are continued. */
  readonly continuedChildren: Int32Array

  constructor(old: readonly MatchItem[], fresh: readonly MatchItem[], pairs?: Int32Array) {
    this.old = old
    this.fresh = fresh
    this.oldChildren = childrenOf(old)
    this.freshChildren = childrenOf(fresh)
    this.oldOf = new Int32Array(fresh.length).fill(-1)
    this.freshOf = new Int32Array(old.length).fill(-1)
    this.continuedChildren = new Int32Array(old.length)
    pairs?.forEach((o, f) => {
      if (o >= 0) this.pair(o, f)
    })
  }

  /** Returns false, and changes nothing, if either already has a counterpart. */
  pair(o: number, f: number): boolean {
    if (!this.isOldFree(o) || !this.isFreshFree(f)) return false
    this.oldOf[f] = o
    this.freshOf[o] = f
    const parent = (this.old[o] as MatchItem).parent
    if (parent >= 0) this.continuedChildren[parent] = (this.continuedChildren[parent] as number) + 1
    return true
  }

  isOldFree(o: number): boolean {
    return (this.freshOf[o] as number) < 0
  }

  isFreshFree(f: number): boolean {
    return (this.oldOf[f] as number) < 0
  }

  /**
   * Visits every matched pair of parents, the roots' (-1, -1) first, if both have unmatched children. Top-down: pairs
   * made by a visit are visited later.
   */
  forEachOpenPair(visit: (oldParent: number, freshParent: number) => void): void {
    for (let f = -1; f < this.fresh.length; f++) {
      const o = f < 0 ? -1 : (this.oldOf[f] as number)
      if (f >= 0 && o < 0) continue
      if (!this.freshChildren(f).some((child) => this.isFreshFree(child))) continue
      if (this.oldChildren(o).some((child) => this.isOldFree(child))) visit(o, f)
    }
  }

  /** Gaps with unmatched items on both sides, in document order. */
  gapsBetween(oldParent: number, freshParent: number): Unmatched[] {
    const oldSiblings = this.oldChildren(oldParent)
    const freshSiblings = this.freshChildren(freshParent)
    const kept = freshSiblings.filter((f) => {
      const o = this.oldOf[f] as number
      return o >= 0 && (this.old[o] as MatchItem).parent === oldParent
    })
    const keptOld = kept.map((f) => this.oldOf[f] as number)
    const inOrder = longestIncreasingSubsequence(keptOld)
    const isInOrder = (_: number, index: number): boolean => inOrder[index] === 1
    const old = splitAt(oldSiblings, keptOld.filter(isInOrder), this.freshOf)
    const fresh = splitAt(freshSiblings, kept.filter(isInOrder), this.oldOf)
    const gaps: Unmatched[] = []
    for (const [index, olds] of old) {
      const freshes = fresh.get(index)
      if (freshes) gaps.push({ old: olds, fresh: freshes })
    }
    return gaps
  }
}

/** The unmatched siblings, by how many anchors are before them. */
function splitAt(siblings: Int32Array, anchors: Int32Array, counterparts: Int32Array): Map<number, number[]> {
  const gaps = new Map<number, number[]>()
  let passed = 0
  for (const item of siblings) {
    if (item === anchors[passed]) passed++
    else if ((counterparts[item] as number) < 0) append(gaps, passed, item)
  }
  return gaps
}

function childrenOf(items: readonly MatchItem[]): ChildrenOf {
  const ends = new Int32Array(items.length + 2) // slot p + 1 belongs to parent p: the roots come first
  for (const { parent } of items) ends[parent + 2] = (ends[parent + 2] as number) + 1
  for (let slot = 1; slot < ends.length; slot++)
    ends[slot] = (ends[slot] as number) + (ends[slot - 1] as number)
  const starts = ends.slice()
  const sorted = new Int32Array(items.length)
  items.forEach(({ parent }, index) => {
    const place = ends[parent + 1] as number
    sorted[place] = index
    ends[parent + 1] = place + 1
  })
  return (parent) => sorted.subarray(starts[parent + 1] as number, starts[parent + 2] as number)
}

function append<K>(lists: Map<K, number[]>, key: K, value: number): void {
  const list = lists.get(key)
  if (list) list.push(value)
  else lists.set(key, [value])
}
