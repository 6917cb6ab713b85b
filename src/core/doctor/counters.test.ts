import { expect, test } from 'vitest'
import type { LinkOrigin } from '../port/links.ts'
import { recounting } from './counters.ts'

type Links = [source: number, origin: LinkOrigin, target: number | null, asleep?: true][]

function corrections(stored: Record<string, unknown>, links: Links = []) {
  const { see, corrections } = recounting()
  for (const [name, value] of Object.entries(stored)) see.counters({ name, value })
  const nodes = [
    ['text', 3, null],
    ['list', 4, null],
    ['text', 5, 9],
  ] as const
  for (const [type, tokens, removedIn] of nodes) see.nodes({ type, tokens, removedIn })
  for (const [sourceKey, origin, targetKey, asleep = false] of links)
    see.links({ sourceKey, origin, targetKey, asleep })
  return [...corrections()]
}

const RIGHT = { nodes: 2, tokens: 7, 'nodes.list': 1, 'nodes.text': 1 }

test('correct counters need no correction, and a missing counter is added', () => {
  expect(corrections(RIGHT)).toEqual([])
  expect(corrections({ ...RIGHT, relations_pending: 0, 'nodes.code': 0 })).toEqual([])
  expect(corrections({})).toEqual(Object.entries(RIGHT))
})

test('corrections of stored counters come first, then missing counters', () => {
  const stored = { ...RIGHT, aaa: 1, 'nodes.text': 3, tokens: 'many', nodes: 1 }
  expect(corrections(stored)).toEqual([
    ['nodes', 1],
    ['tokens', 7],
    ['nodes.text', -2],
    ['aaa', -1],
  ])
})

test('links to the same target count as one edge, and links asleep as none', () => {
  const links: Links = [
    [1, 'parsed', 5],
    [1, 'manual', 5],
    [1, 'parsed', 5],
    [1, 'parsed', 6, true],
    [1, 'parsed', null],
    [2, 'parsed', 5],
    [2, 'parsed', null],
  ]
  expect(corrections(RIGHT, links)).toEqual([
    ['relations.manual', 1],
    ['relations.parsed', 2],
    ['relations_pending', 2],
  ])
})
