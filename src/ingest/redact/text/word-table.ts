/** Words with their properties, as bits. Looked up by a hash that is computed while reading: no text is cut out. */
export class WordTable {
  readonly #hashes: Int32Array
  readonly #bits: Int32Array
  readonly #mask: number

  /** `direction`: -1 if words are read from their end. */
  constructor(words: Readonly<Record<string, number>>, direction: 1 | -1) {
    const entries = Object.entries(words)
    let size = 16
    while (size < entries.length * 4) size *= 2
    this.#mask = size - 1
    this.#hashes = new Int32Array(size)
    this.#bits = new Int32Array(size)
    for (const [word, bits] of entries) this.#add(hashOf(word, direction), bits)
  }

  /** 0 for any other word. */
  get(hash: number): number {
    for (let at = slotOf(hash) & this.#mask; ; at = (at + 1) & this.#mask) {
      const bits = this.#bits[at] as number
      if (bits === 0 || this.#hashes[at] === hash) return bits
    }
  }

  #add(hash: number, bits: number): void {
    let at = slotOf(hash) & this.#mask
    while (this.#bits[at] !== 0 && this.#hashes[at] !== hash) at = (at + 1) & this.#mask
    this.#hashes[at] = hash
    this.#bits[at] = (this.#bits[at] as number) | bits
  }
}

/** The hash of a word extended by `code`, in lower case. */
export function nextHash(hash: number, code: number): number {
  return (Math.imul(hash, 31) + code) | 0
}

function slotOf(hash: number): number {
  return hash ^ (hash >>> 15)
}

function hashOf(word: string, direction: 1 | -1): number {
  let hash = 0
  const codes = [...word].map((letter) => letter.charCodeAt(0))
  for (const code of direction === 1 ? codes : codes.toReversed()) hash = nextHash(hash, code)
  return hash
}

/** `words('a b', 1)` is `{ a: 1, b: 1 }`. */
export function words(list: string, bits: number): [string, number][] {
  return list
    .trim()
    .split(/\s+/)
    .map((word) => [word, bits])
}

/** Several lists as one; a word of two lists has the bits of both. */
export function vocabulary(...lists: readonly (readonly [string, number][])[]): Record<string, number> {
  const all: Record<string, number> = {}
  for (const [word, bits] of lists.flat()) all[word] = (all[word] ?? 0) | bits
  return all
}
