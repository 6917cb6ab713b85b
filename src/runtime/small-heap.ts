import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { type SetTimer, setIdleTimer } from './timer.ts'

export interface SmallHeapParts {
  setTimer?: SetTimer
  /** The share of the time that this thread had something to do since it was last asked. */
  utilization?: () => number
  collect?: () => void
}

const LOOK_MS = 5_000
/** Timers and pings take less. */
const IDLE = 0.01

/**
 * For a server that runs for days beside other programs. V8 lets the place of new objects grow to 64 MB in every thread, also
 * where a hundredth of it is enough, and after a busy time it may keep garbage for as long as nobody asks for anything.
 */
export function keepHeapSmall(parts: SmallHeapParts = {}): () => void {
  const { setTimer = setIdleTimer, utilization = createUtilization(), collect = collectAll } = parts
  // It does not grow from now on. The option for its size is read only when a thread starts.
  setFlagsFromString('--semi-space-growth-factor=1')
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
