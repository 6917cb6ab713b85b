/** Values of a block. */
const BLOCK = 64

/** A number for each of many whole numbers: keys that are near each other take nine bytes each. 0 is the same as none. */
export function createNumberMap() {
  const blocks = new Map<number, Float64Array>()

  function get(key: number): number {
    const block = Math.floor(key / BLOCK)
    return blocks.get(block)?.[key - block * BLOCK] ?? 0
  }
  function set(key: number, value: number): void {
    if (!Number.isSafeInteger(key)) return
    const block = Math.floor(key / BLOCK)
    const values = blocks.get(block) ?? new Float64Array(BLOCK)
    values[key - block * BLOCK] = value
    blocks.set(block, values)
  }
  return {
    get,
    set,
    add: (key: number, by: number): void => set(key, get(key) + by),
    /** In no particular order. */
    *entries(): Generator<[key: number, value: number]> {
      for (const [block, values] of blocks)
        for (const [at, value] of values.entries()) if (value !== 0) yield [block * BLOCK + at, value]
    },
  }
}

export type NumberMap = ReturnType<typeof createNumberMap>
