import { expect, test } from 'vitest'
import { countLinks } from '../links/counts.ts'
import { countedIn, countNode } from './counters.ts'

test('counters are read by name', () => {
  const counters = new Map<string, number>()
  for (const [type, tokens, sign] of [
    ['text', 7, 1],
    ['heading', 2, 1],
    ['text', 5, 1],
    ['code', 3, 1],
    ['code', 3, -1],
  ] as const)
    countNode(counters, { type, tokens, mark: null }, sign)
  const link = { origin: 'parsed', targetKey: 2, asleep: false } as const
  const manual = { ...link, origin: 'manual' } as const
  countLinks(counters, [link, link, manual, { ...manual, targetKey: null }, { ...link, asleep: true }], 1)
  const { nodes, relations } = countedIn(Object.fromEntries(counters))
  expect(nodes).toEqual({ total: 3, byType: { heading: 1, text: 2 }, tokens: 14 })
  expect(Object.keys(nodes.byType)).toEqual(['heading', 'text'])
  expect(relations).toEqual({ byOrigin: { manual: 1, parsed: 1 }, pending: 1 })
})

test('missing counters are 0', () => {
  expect(countedIn({})).toEqual({
    nodes: { total: 0, byType: {}, tokens: 0 },
    relations: { byOrigin: {}, pending: 0 },
  })
})
