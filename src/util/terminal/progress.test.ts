import { expect, test } from 'vitest'
import { createProgress, progressLine } from './progress.ts'

/** A stream that records writes, and a manual clock. */
function fakeTerminal({ isTTY = true, columns = 80 } = {}) {
  const written: string[] = []
  const clock = { now: 0 }
  const stream = {
    isTTY,
    columns,
    write: (text: string) => written.push(text) > 0,
    on: () => undefined,
  }
  const bar = createProgress({ stream, now: () => clock.now })
  const updateAt = (now: number, done: number): void => {
    clock.now = now
    bar.update({ label: 'reading', done, total: 10 })
  }
  return { written, bar, updateAt }
}

test('a progress bar is not shown for work shorter than 300 ms', () => {
  const { written, bar, updateAt } = fakeTerminal()
  updateAt(299, 5)
  bar.finish()
  expect(written).toEqual([])
})

test('a progress bar is redrawn from time to time, and cleared at the end', () => {
  const { written, bar, updateAt } = fakeTerminal({ columns: 28 })
  updateAt(300, 5)
  updateAt(310, 6)
  updateAt(400, 10)
  bar.finish()
  bar.finish()
  updateAt(900, 10)
  expect(written).toEqual([
    '\r\x1b[2Kreading ━━━━━━━──────  5/10',
    '\r\x1b[2Kreading ━━━━━━━━━━━━━ 10/10',
    '\r\x1b[2K',
  ])
})

test('a progress bar is not shown without a terminal', () => {
  const { written, bar, updateAt } = fakeTerminal({ isTTY: false })
  updateAt(1000, 5)
  bar.finish()
  expect(written).toEqual([])
})

test.each([80, 40, 20, 10, 3, 0])('a progress bar stays within %i columns', (columns) => {
  const line = progressLine({ label: 'reading', done: 12_345, total: 99_999 }, columns)
  expect(line.length).toBeLessThanOrEqual(Math.max(0, columns - 1))
})

test('a progress bar accepts work of size 0', () => {
  expect(progressLine({ label: 'reading', done: 0, total: 0 }, 20)).toBe('reading ─────── 0/0')
})
