import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { setIdleTimer, setTimer } from './timer.ts'

const DAY_MS = 24 * 60 * 60 * 1000

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test.each([
  ['setTimer', setTimer],
  ['setIdleTimer', setIdleTimer],
])('%s waits longer than Node can, once, and can be taken back late', (_name, set) => {
  const work = vi.fn()
  const takenBack = vi.fn()
  set(work, 60 * DAY_MS)
  const cancel = set(takenBack, 60 * DAY_MS)
  vi.advanceTimersByTime(60 * DAY_MS - 1)
  expect(work).not.toHaveBeenCalled()
  cancel()
  vi.advanceTimersByTime(DAY_MS)
  expect(work).toHaveBeenCalledTimes(1)
  expect(takenBack).not.toHaveBeenCalled()
})
