/** How many of something are under way. */
export interface Count {
  /** One more; the answer is called when it is over, and counts once. */
  enter(): () => void
  size(): number
  /** Resolves when none is left, at once where there is none. */
  idle(): Promise<void>
}

export function createCount(): Count {
  let size = 0
  let waiting: (() => void)[] = []
  return {
    enter() {
      size++
      let isOver = false
      return () => {
        if (isOver) return
        isOver = true
        if (--size > 0) return
        const told = waiting
        waiting = []
        for (const tell of told) tell()
      }
    },
    size: () => size,
    idle: () => (size === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
  }
}
