/** Which values form a longest strictly increasing subsequence: 1 = part of it. O(n log n). */
export function longestIncreasingSubsequence(values: ArrayLike<number>): Uint8Array {
  const { length } = values
  const mask = new Uint8Array(length)
  const previous = new Int32Array(length).fill(-1)
  const tails: number[] = [] // tails[k]: where the run of k + 1 values with the smallest end ends
  const valueAt = (index: number): number => values[index] as number
  for (let index = 0; index < length; index++) {
    const rank = lowerBound(tails, valueAt, valueAt(index))
    if (rank > 0) previous[index] = tails[rank - 1] as number
    tails[rank] = index
  }
  for (let index = tails.at(-1) ?? -1; index >= 0; index = previous[index] as number) mask[index] = 1
  return mask
}

function lowerBound(tails: readonly number[], valueAt: (index: number) => number, value: number): number {
  const last = tails.at(-1)
  if (last === undefined || valueAt(last) < value) return tails.length
  let low = 0
  let high = tails.length - 1
  while (low < high) {
    const middle = (low + high) >>> 1
    if (valueAt(tails[middle] as number) < value) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * Index pairs of a longest common subsequence; among equals the earliest of `left`. Common ends are always found; the
 * part between them is left unaligned if the table would exceed `maxCells`.
 */
export function longestCommonSubsequence(
  left: readonly number[],
  right: readonly number[],
  maxCells = 1_000_000,
): [number, number][] {
  const pairs: [number, number][] = []
  let start = 0
  let leftEnd = left.length
  let rightEnd = right.length
  while (start < leftEnd && start < rightEnd && left[start] === right[start]) {
    pairs.push([start, start])
    start++
  }
  const tail: [number, number][] = []
  while (leftEnd > start && rightEnd > start && left[leftEnd - 1] === right[rightEnd - 1]) {
    tail.push([--leftEnd, --rightEnd])
  }
  if ((leftEnd - start) * (rightEnd - start) <= maxCells) {
    const middle = alignByTable(left.slice(start, leftEnd), right.slice(start, rightEnd))
    for (const [a, b] of middle) pairs.push([start + a, start + b])
  }
  return pairs.concat(tail.reverse())
}

function alignByTable(left: readonly number[], right: readonly number[]): [number, number][] {
  const width = right.length + 1
  const lengths = new Int32Array((left.length + 1) * width) // of the common subsequence from (a, b) on
  const lengthAt = (a: number, b: number): number => lengths[a * width + b] as number
  for (let a = left.length - 1; a >= 0; a--) {
    for (let b = right.length - 1; b >= 0; b--) {
      lengths[a * width + b] =
        left[a] === right[b] ? lengthAt(a + 1, b + 1) + 1 : Math.max(lengthAt(a + 1, b), lengthAt(a, b + 1))
    }
  }
  const pairs: [number, number][] = []
  for (let a = 0, b = 0; a < left.length && b < right.length; ) {
    if (left[a] === right[b]) pairs.push([a++, b++])
    else if (lengthAt(a, b + 1) >= lengthAt(a + 1, b)) b++
    else a++
  }
  return pairs
}
