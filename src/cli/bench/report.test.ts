import { expect, test } from 'vitest'
import { compared, passedOnOf, tokensOf, totalsOf } from './report.ts'

test('counts tokens text by text', () => {
  expect(tokensOf(['abcde', '', 'ü'])).toBe(3)
})

test('reports the savings in percent, also when zero or negative', () => {
  expect(compared({ naive: 200, remindb: 50 }).saved).toBe(75)
  expect(compared({ naive: 50, remindb: 60 }).saved).toBeCloseTo(-20)
  expect(compared({ naive: 0, remindb: 60 }).saved).toBeNull()
})

test('weights the totals by tokens', () => {
  const scenario = (part: 'orientation' | 'gathering', naive: number, remindb: number) => ({
    name: 'x',
    part,
    naive,
    remindb,
    data: 3 * remindb,
  })
  const totals = totalsOf([
    scenario('orientation', 100, 50),
    scenario('gathering', 900, 90),
    scenario('gathering', 100, 110),
  ])
  expect(totals).toEqual({
    orientation: { naive: 100, remindb: 50, saved: 50 },
    gathering: { naive: 1000, remindb: 200, saved: 80 },
    session: { naive: 1100, remindb: 250, saved: expect.closeTo(77.27, 2) },
  })
})

test('counts a session by the parts of an answer that a program passes on', () => {
  const part = 'gathering' as const
  const scenarios = [
    { name: 'x', part, naive: 100, remindb: 10, data: 30 },
    { name: 'y', part, naive: 100, remindb: 10, data: 50 },
  ]
  expect(passedOnOf(scenarios)).toEqual({
    text: { naive: 200, remindb: 20, saved: 90 },
    data: { naive: 200, remindb: 80, saved: 60 },
    both: { naive: 200, remindb: 100, saved: 50 },
  })
})
