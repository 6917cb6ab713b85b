const SIZE = 128

export interface Entry<T> {
  prefix: string
  /** Its third character, or 0, and its last: to ask for before the whole. */
  third: number
  last: number
  found: T
}

/** What may begin with two characters: most words ask for no more. */
export class PrefixIndex<T> {
  readonly #slots = new Uint8Array(SIZE * SIZE)
  readonly #groups: Entry<T>[][] = [[]]

  /** Prefixes have at least two characters, all of ASCII. */
  constructor(entries: readonly { prefix: string; found: T }[]) {
    for (const entry of entries) {
      const slot = entry.prefix.charCodeAt(0) * SIZE + entry.prefix.charCodeAt(1)
      this.#slots[slot] ||= this.#groups.push([]) - 1
      const third = entry.prefix.charCodeAt(2) || 0
      const last = entry.prefix.charCodeAt(entry.prefix.length - 1)
      this.#groups[this.#slots[slot] as number]?.push({ ...entry, third, last })
    }
  }

  /** In the order in which they were given. */
  find(first: number, second: number): readonly Entry<T>[] | undefined {
    const group = first < SIZE && second < SIZE ? (this.#slots[first * SIZE + second] as number) : 0
    return group === 0 ? undefined : this.#groups[group]
  }
}
