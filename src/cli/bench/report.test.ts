import { expect, test } from 'vitest'
import { compared, tokensOf, totalsOf } from './report.ts'

test('counts tokens text by text', () => {
  expect(tokensOf(['abcde', '', 'ü'])).toBe(3)
})

test('says in percent what was saved, also when it was nothing or less', () => {
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
