import { PerformanceObserver } from 'node:perf_hooks'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { type SetTimer, setIdleTimer } from '../timing/timer.ts'

export interface IdleParts {
  setTimer?: SetTimer
  /** The share of the time that this thread had something to do since it was last asked. */
  utilization?: () => number
  collect?: () => void
}

/** Of the place of new objects, which is two halves: more makes nothing faster. */
const MOST_NEW_BYTES = 16 * 1024 * 1024
/** How much a heap grows, in percent of what is used of it, before garbage is collected. V8 would let a busy one more than double. */
const GROWTH_PERCENT = 40
/** What it takes away is compiled again for the next call: not for a moment without any. */
const LOOK_MS = 15_000
/** Timers and pings take less. */
const IDLE = 0.01

/** For a server that runs for days beside other programs. */
export function keepHeapSmall(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`)
  limitNewObjects()
  collectWhenIdle()
}

/**
 * V8 lets the place of new objects grow to 64 MB and more in each thread. The option for that is read only when a process starts;
 * the one for how it grows is read each time, but by all threads: those that start later have as much from the beginning.
 */
function limitNewObjects(): void {
  setFlagsFromString(`--min-semi-space-size=${MOST_NEW_BYTES / 2 / 1024 / 1024}`)
  let factor = 0
  const observer = new PerformanceObserver(() => {
    const wanted = newObjectBytes() < MOST_NEW_BYTES ? 2 : 1
    if (wanted !== factor) setFlagsFromString(`--semi-space-growth-factor=${wanted}`)
    factor = wanted
  })
  observer.observe({ type: 'gc' })
}

function newObjectBytes(): number {
  return getHeapSpaceStatistics().find((space) => space.space_name === 'new_space')?.space_size ?? 0
}

/** After a busy time V8 may keep garbage for as long as nobody asks for anything. The answer ends it. */
export function collectWhenIdle(parts: IdleParts = {}): () => void {
  const { setTimer = setIdleTimer, utilization = createUtilization(), collect = collectAll } = parts
  let wasBusy = true
  let cancel = setTimer(look, LOOK_MS)
  function look(): void {
    const isBusy = utilization() > IDLE
    if (wasBusy && !isBusy) collect()
    wasBusy = isBusy
    cancel = setTimer(look, LOOK_MS)
  }
  return () => cancel()
}

function createUtilization(): () => number {
  let last = performance.eventLoopUtilization()
  return () => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, last)
    last = now
    return utilization
  }
}

/** Takes a tenth of a second. Nothing but a flag makes V8 offer it, and only to what is run afterwards. */
function collectAll(): void {
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc') as (how: object) => void
  setFlagsFromString('--no-expose-gc')
  gc({ type: 'major', flavor: 'last-resort' })
}
