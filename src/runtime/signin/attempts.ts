export interface AttemptLimits {
  /** In one window. */
  max: number
  windowMs: number
  now: () => number
}

/** More than ever fail within one window, unless somebody makes names up: then the one that failed longest ago goes. */
const MAX_NAMES = 10_000

/** Counts attempts by name, such as an address. Forgets them with their window. */
export function createAttempts({ max, windowMs, now }: AttemptLimits) {
  const counts = new Map<string, number>()
  let window = 0

  function current(): Map<string, number> {
    const at = Math.floor(now() / windowMs)
    if (at !== window) counts.clear()
    window = at
    return counts
  }

  return {
    /** Seconds to wait, where there were too many; undefined where another may be made. */
    wait(name: string): number | undefined {
      if ((current().get(name) ?? 0) < max) return undefined
      return Math.ceil(((window + 1) * windowMs - now()) / 1000)
    },
    add(name: string): void {
      const known = current()
      const count = (known.get(name) ?? 0) + 1
      known.delete(name)
      known.set(name, count)
      if (known.size > MAX_NAMES) known.delete(known.keys().next().value ?? '')
    },
    /** One less: it was not an attempt after all. */
    giveBack(name: string): void {
      const count = current().get(name) ?? 0
      if (count > 1) counts.set(name, count - 1)
      else counts.delete(name)
    },
    clear: (name: string): void => void counts.delete(name),
  }
}

export type Attempts = ReturnType<typeof createAttempts>
