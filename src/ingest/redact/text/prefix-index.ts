const SIZE = 128

export interface Entry<T> {
  prefix: string
  length: number
  /** Its third character, or 0, and its last: to ask for before the whole. */
  third: number
  last: number
  /** It says nothing unless a space follows. */
  isApart: boolean
  found: T
}

/** The words that begin with two characters: most lookups end here. */
export class PrefixIndex<T> {
  readonly #slots = new Uint8Array(SIZE * SIZE)
  readonly #groups: Entry<T>[][] = [[]]

  /** Prefixes have at least two characters, all of ASCII. */
  constructor(entries: readonly Pick<Entry<T>, 'prefix' | 'isApart' | 'found'>[]) {
    for (const { prefix, isApart, found } of entries) {
      const { length } = prefix
      const slot = prefix.charCodeAt(0) * SIZE + prefix.charCodeAt(1)
      this.#slots[slot] ||= this.#groups.push([]) - 1
      const third = prefix.charCodeAt(2) || 0
      const last = prefix.charCodeAt(length - 1)
      this.#groups[this.#slots[slot] as number]?.push({ prefix, length, third, last, isApart, found })
    }
  }

  /** In the order in which they were given. */
  find(first: number, second: number): readonly Entry<T>[] | undefined {
    const group = first < SIZE && second < SIZE ? (this.#slots[first * SIZE + second] as number) : 0
    return group === 0 ? undefined : this.#groups[group]
  }
}
