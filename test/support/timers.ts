import type { SetTimer } from '../../src/runtime/timing/timer.ts'

/** Timers that fire when a test says so. */
export function manualTimers() {
  const waiting = new Map<number, { work: () => void; ms: number }>()
  let last = 0
  const setTimer: SetTimer = (work, ms) => {
    const id = ++last
    waiting.set(id, { work, ms })
    return () => void waiting.delete(id)
  }
  return {
    setTimer,
    /** How long each waits, oldest first. */
    delays: (): number[] => [...waiting.values()].map(({ ms }) => ms),
    fire(): void {
      const due = [...waiting.values()]
      waiting.clear()
      for (const { work } of due) work()
    },
  }
}
