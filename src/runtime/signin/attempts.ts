export interface AttemptLimits {
  /** In one window. */
  max: number
  windowMs: number
  now: () => number
}

/** More names than ever fail within one window, unless somebody makes them up. */
const MAX_NAMES = 10_000

/** Counts attempts by name, such as an address. Forgets them with their window. */
export function createAttempts({ max, windowMs, now }: AttemptLimits) {
  const counts = new Map<string, number>()
  let window = 0

  function current(): Map<string, number> {
    const at = Math.floor(now() / windowMs)
    // A flood of made-up names costs no memory; the count of others begins again, as it does with every window.
    if (at !== window || counts.size >= MAX_NAMES) counts.clear()
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
      known.set(name, (known.get(name) ?? 0) + 1)
    },
    clear: (name: string): void => void counts.delete(name),
  }
}

export type Attempts = ReturnType<typeof createAttempts>
