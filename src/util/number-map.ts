/** Values per block. */
const BLOCK = 64

/** A map from whole numbers to numbers: nearby keys take nine bytes each. */
export function createNumberMap() {
  const blocks = new Map<number, Float64Array>()

  function get(key: number): number | undefined {
    const block = Math.floor(key / BLOCK)
    const value = blocks.get(block)?.[key - block * BLOCK]
    return Number.isNaN(value) ? undefined : value
  }
  function set(key: number, value: number): void {
    if (!Number.isSafeInteger(key)) return
    const block = Math.floor(key / BLOCK)
    const values = blocks.get(block) ?? new Float64Array(BLOCK).fill(Number.NaN)
    values[key - block * BLOCK] = value
    blocks.set(block, values)
  }
  return {
    get,
    set,
    add: (key: number, by: number): void => set(key, (get(key) ?? 0) + by),
    /** Unordered. */
    *entries(): Generator<[key: number, value: number]> {
      for (const [block, values] of blocks)
        for (const [at, value] of values.entries())
          if (!Number.isNaN(value)) yield [block * BLOCK + at, value]
    },
  }
}

export type NumberMap = ReturnType<typeof createNumberMap>
