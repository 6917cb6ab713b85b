import { createWindow, type WindowParts } from '../../util/window.ts'

export interface AttemptLimits extends Pick<WindowParts, 'now' | 'elapsed'> {
  /** In one window. */
  max: number
  windowMs: number
}

/** More than ever fail within one window, unless somebody makes names up: then the one that failed longest ago goes. */
const MAX_NAMES = 10_000

/** Counts attempts by name, such as an address. Forgets them with their window. */
export function createAttempts({ max, windowMs: lengthMs, ...clock }: AttemptLimits) {
  const counts = new Map<string, number>()
  const window = createWindow({ lengthMs, ...clock })

  function current(): Map<string, number> {
    if (window.isOver()) counts.clear()
    return counts
  }

  return {
    /** Seconds to wait, where there were too many; undefined where another may be made. */
    wait(name: string): number | undefined {
      if ((current().get(name) ?? 0) < max) return undefined
      return window.secondsLeft()
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
