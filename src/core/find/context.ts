import type { ReadTx } from '../store.ts'
import type { LineageRow, Surrounding } from '../store-search.ts'
import type { Pool } from './pool.ts'
import { type Evidence, REACH } from './rank.ts'

/** The nodes that may be an answer, each with what speaks for it. */
export interface Context {
  candidates: Evidence[]
  /** Everything above them. */
  above: ReadonlyMap<number, LineageRow>
  /** Of the nodes of the pool. */
  heat: Map<number, number>
}

/**
 * The nodes of a pool and, where `withSiblings`, those that their words reach: an answer often stands beside the words
 * that ask for it, as a reply after its question or a list below its sentence. A single word reaches nobody: siblings tell
 * something where they have what the node itself lacks.
 */
export async function contextOf(tx: ReadTx, pool: Pool, withSiblings: boolean): Promise<Context> {
  const around = await tx.surroundings(pool.keys, pool.units.length > 1 ? REACH : 0)
  const parentKeys = new Set(around.flatMap(({ parentKey }) => parentKey ?? []))
  const above = new Map((await tx.lineage([...parentKeys])).map((row) => [row.key, row]))
  const nodes = new Map(around.map((node) => [node.key, node]))
  const parents = parentsOf(around)
  const besides = chain(around, pool.masks)
  const maskAbove = masksAbove(above, pool.masks)
  const evidence = (key: number): Evidence => {
    const own = pool.masks.get(key) ?? 0
    const node = nodes.get(key)
    // The words of a heading are its label; other labels are only the beginning of a text.
    const label = node?.type === 'heading' ? own : 0
    const headings = maskAbove(parents.get(key) ?? null)
    return { key, label, text: own & ~label, headings, siblings: besides(key), tokens: node?.tokens ?? 0 }
  }
  const heat = new Map(around.map(({ key, temperature }) => [key, temperature]))
  return { candidates: (withSiblings ? [...parents.keys()] : pool.keys).map(evidence), above, heat }
}

/** For a node: what its siblings one place off have, two places off and so on, as far as they are known. */
function chain(
  around: readonly Surrounding[],
  masks: ReadonlyMap<number, number>,
): (key: number) => number[] {
  const next = new Map<number, number>()
  const previous = new Map<number, number>()
  const link = (left: number, right: number): void => {
    next.set(left, right)
    previous.set(right, left)
  }
  for (const { key, before, after } of around) {
    for (let at = 0; at < before.length; at++) link(before[at] as number, before[at - 1] ?? key)
    for (let at = 0; at < after.length; at++) link(after[at - 1] ?? key, after[at] as number)
  }
  const maskOf = (key: number | undefined): number => (key === undefined ? 0 : (masks.get(key) ?? 0))
  return (key) => {
    const found: number[] = []
    let left: number | undefined = key
    let right: number | undefined = key
    for (let distance = 0; distance < REACH; distance++) {
      left = left === undefined ? undefined : previous.get(left)
      right = right === undefined ? undefined : next.get(right)
      found.push(maskOf(left) | maskOf(right))
    }
    return found
  }
}

/** Siblings have the same parent. */
function parentsOf(around: readonly Surrounding[]): Map<number, number | null> {
  const parents = new Map<number, number | null>()
  for (const { key, parentKey, before, after } of around) {
    parents.set(key, parentKey)
    for (const sibling of before) parents.set(sibling, parentKey)
    for (const sibling of after) parents.set(sibling, parentKey)
  }
  return parents
}

/** For a node: what it has itself, or what stands above it. A label that has a word is among the nodes that have it. */
function masksAbove(
  above: ReadonlyMap<number, LineageRow>,
  masks: ReadonlyMap<number, number>,
): (key: number | null) => number {
  const known = new Map<number, number>()
  return (key) => {
    const line: LineageRow[] = []
    let row = key === null ? undefined : above.get(key)
    for (; row && !known.has(row.key); row = above.get(row.parentKey ?? -1)) {
      line.push(row)
      // For now: a damaged memory may lead back here.
      known.set(row.key, 0)
    }
    let mask = row ? (known.get(row.key) ?? 0) : 0
    for (const { key: at } of line.reverse()) {
      mask |= masks.get(at) ?? 0
      known.set(at, mask)
    }
    return mask
  }
}
