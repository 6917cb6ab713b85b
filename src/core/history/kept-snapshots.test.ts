import { expect, test } from 'vitest'
import { nextRun } from './kept-snapshots.ts'

const DAY = 86_400_000

/** Snapshots by their days, oldest first; `-`: hidden. */
function snapshots(days: string) {
  return [...days.replaceAll('-', '')].map((day, at) => {
    const isHidden = days.replace(/[^-].*$/s, '').length > at
    return { id: at + 1, createdAt: Number(day) * DAY + at, cursorHash: isHidden ? '' : 'x' }
  })
}

test.each([
  ['1', 1, []],
  ['11', 2, [1]],
  ['1112', 3, [2, 1]],
  ['1222', 4, [3, 2]],
  ['1234', 1, []],
  ['112233', 6, [5]],
  // A hidden one goes, whatever its day.
  ['-12', 2, [1]],
])('of the days %s the newest run ends at snapshot %d', (days, into, gone) => {
  const rows = snapshots(days).reverse()
  const [stays, ...older] = rows
  if (!stays) throw new Error('no snapshots')
  const run = nextRun(stays, older, () => false)
  expect([run.into.id, run.gone.map(({ id }) => id)]).toEqual([into, gone])
})

test('a checkpoint stays, and takes over what is before it on its day', () => {
  const [stays, ...older] = snapshots('1111').reverse()
  if (!stays) throw new Error('no snapshots')
  expect(nextRun(stays, older, (id) => id === 3)).toMatchObject({
    into: { id: 3 },
    gone: [{ id: 2 }, { id: 1 }],
  })
})
