/** Bits per block. */
const BLOCK = 1024

/** A set of whole numbers: nearby ones take a bit each, where a `Set` takes about forty bytes. */
export function createNumberSet() {
  const blocks = new Map<number, Uint32Array>()
  let size = 0

  function bitOf(value: number): { block: number; word: number; bit: number } {
    const block = Math.floor(value / BLOCK)
    const at = value - block * BLOCK
    return { block, word: at >>> 5, bit: 2 ** (at & 31) }
  }
  function has(value: number): boolean {
    const { block, word, bit } = bitOf(value)
    return (((blocks.get(block)?.[word] ?? 0) / bit) & 1) === 1
  }
  return {
    has,
    add(value: number): void {
      if (!Number.isSafeInteger(value) || has(value)) return
      const { block, word, bit } = bitOf(value)
      const words = blocks.get(block) ?? new Uint32Array(BLOCK / 32)
      words[word] = (words[word] ?? 0) + bit
      blocks.set(block, words)
      size++
    },
    delete(value: number): void {
      if (!has(value)) return
      const { block, word, bit } = bitOf(value)
      const words = blocks.get(block) as Uint32Array
      words[word] = (words[word] ?? 0) - bit
      size--
    },
    size: (): number => size,
    /** Unordered. */
    *values(): Generator<number> {
      for (const [block, words] of blocks)
        for (let at = 0; at < BLOCK; at++)
          if ((((words[at >>> 5] ?? 0) / 2 ** (at & 31)) & 1) === 1) yield block * BLOCK + at
    },
  }
}

export type NumberSet = ReturnType<typeof createNumberSet>
