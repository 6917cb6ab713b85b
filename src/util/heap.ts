/** A priority queue. `isBefore` must order any two items. */
export interface Heap<T> {
  push(item: T): void
  /** Removes and returns the first item; undefined if empty. */
  pop(): T | undefined
  /** All items, the first one first, the others unordered. */
  items(): readonly T[]
}

export function createHeap<T>(isBefore: (a: T, b: T) => boolean): Heap<T> {
  const items: T[] = []

  function rise(at: number, item: T): void {
    let place = at
    while (place > 0) {
      const above = (place - 1) >> 1
      if (!isBefore(item, items[above] as T)) break
      items[place] = items[above] as T
      place = above
    }
    items[place] = item
  }

  function sink(item: T): void {
    let place = 0
    for (;;) {
      let below = 2 * place + 1
      if (below >= items.length) break
      if (below + 1 < items.length && isBefore(items[below + 1] as T, items[below] as T)) below++
      if (!isBefore(items[below] as T, item)) break
      items[place] = items[below] as T
      place = below
    }
    items[place] = item
  }

  return {
    push: (item) => rise(items.length, item),
    pop() {
      const first = items[0]
      const last = items.pop()
      if (items.length > 0) sink(last as T)
      return first
    },
    items: () => items,
  }
}
