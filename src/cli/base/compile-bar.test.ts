import { expect, test } from 'vitest'
import { soon } from '../../../test/support/soon.ts'
import { showCompiling } from './compile-bar.ts'

test('shows how far the first compile is, and takes the bar off when it is over', async () => {
  const written: string[] = []
  const stream = {
    isTTY: true,
    columns: 80,
    write(text: string) {
      written.push(text)
      return true
    },
  }
  const looked = Promise.withResolvers<void>()
  let done = 0
  const progress = () => ({ phase: 'read', done: ++done, total: 3000 }) as const
  const shown = showCompiling(
    { looked: looked.promise, progress },
    { stream: stream as never, now: () => performance.now(), delayMs: 0 },
  )
  await soon(() => written.join('')).toMatch(/reading ─+ +\d\/3000/)
  looked.resolve()
  await shown
  expect(written.at(-1)).toBe('\r\x1b[2K')
})
