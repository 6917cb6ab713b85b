/** The features of a text: hashes of its words and of its pairs of adjacent words, sorted, each once. */
export type Features = Int32Array

/** Enough to recognise a block; keeps one huge block from costing more than the rest of its document. */
const MAX_CHARS = 16_000

// Scripts without spaces between words: each character counts as a word.
const WORD =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}]|[\p{L}\p{M}\p{N}_]+/gu

export function featuresOf(text: string): Features {
  const features = new Set<number>()
  let previous = 0
  for (const word of text.slice(0, MAX_CHARS).toLowerCase().match(WORD) ?? []) {
    const hash = hashOf(word)
    features.add(hash)
    if (previous !== 0) features.add((Math.imul(previous, 0x01000193) ^ hash) >>> 1)
    previous = hash
  }
  return Int32Array.from(features).sort()
}

/** FNV-1a without its highest bit: stays a small integer, which keeps the maps below fast. */
function hashOf(word: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193)
  return hash >>> 1
}

/**
 * Dice coefficient: 0 = nothing in common, 1 = the same words in the same pairs. 0 for a text without words, and as
 * soon as it cannot exceed `threshold`.
 */
export function similarity(left: Features, right: Features, threshold = 0): number {
  const size = left.length + right.length
  const needed = (size * threshold) / 2
  let shared = 0
  let a = 0
  let b = 0
  while (a < left.length && b < right.length) {
    if (shared + Math.min(left.length - a, right.length - b) <= needed) return 0
    const difference = (left[a] as number) - (right[b] as number)
    if (difference === 0) shared++
    if (difference <= 0) a++
    if (difference >= 0) b++
  }
  return shared > needed ? (2 * shared) / size : 0
}

/**
 * The lowest hashes are the same random sample of words in every text, so similar texts share most of theirs: using
 * only these bounds the index.
 */
const INDEXED = 48
/** How many index entries to read, the rarest features first: per lookup, and for about as many lookups as items. */
const MAX_READS = 1_000
const MAX_READS_IN_ALL = 10_000_000
/** How many items a lookup returns. */
const MAX_FOUND = 4

/** Finds the items of 0 … length - 1 that may resemble a text, in bounded time. Most in common first. */
export function createSimilarityIndex(items: readonly Features[]): (text: Features) => number[] {
  const itemsWith = new Map<number, number[]>()
  for (const [item, features] of items.entries()) {
    for (const feature of features.subarray(0, INDEXED)) {
      const list = itemsWith.get(feature)
      if (list) list.push(item)
      else itemsWith.set(feature, [item])
    }
  }
  const maxReads = Math.min(MAX_READS, MAX_READS_IN_ALL / items.length)
  const counts = new Int32Array(items.length) // all 0 between two lookups
  return (text) => {
    const lists: number[][] = []
    for (const feature of text.subarray(0, INDEXED)) {
      const list = itemsWith.get(feature)
      if (list) lists.push(list)
    }
    lists.sort((a, b) => a.length - b.length)
    return mostCommon(lists, counts, maxReads)
  }
}

function mostCommon(lists: readonly number[][], counts: Int32Array, maxReads: number): number[] {
  const seen: number[] = []
  let reads = 0
  for (const list of lists) {
    reads += list.length
    if (reads > maxReads) break
    for (const item of list) {
      if (counts[item] === 0) seen.push(item)
      counts[item] = (counts[item] as number) + 1
    }
  }
  const best: number[] = []
  const isBefore = (a: number, b: number): boolean =>
    (counts[a] as number) > (counts[b] as number) || (counts[a] === counts[b] && a < b)
  for (const item of seen) {
    let place = best.length
    while (place > 0 && isBefore(item, best[place - 1] as number)) place--
    if (place < MAX_FOUND) best.splice(place, 0, item)
    if (best.length > MAX_FOUND) best.pop()
  }
  for (const item of seen) counts[item] = 0
  return best
}
