import { expect, test } from 'vitest'
import type { LinksFitting, StoredLink } from '../port/links.ts'
import { createKnownLinks } from './known-links.ts'

const link = (id: number, more: Partial<StoredLink> = {}): StoredLink => ({
  ...{ id, sourceKey: id, documentId: 1, origin: 'parsed', place: 0, label: '', source: '' },
  ...{ wantedId: '', name: '', file: '', section: '', weight: 1, targetKey: null, asleep: false },
  createdAt: 0,
  ...more,
})

/** A store with these links that notes what it is asked. */
function storeWith(...links: StoredLink[]) {
  const asked: LinksFitting[] = []
  const tx = {
    async links(select: LinksFitting) {
      asked.push(select)
      return links
    },
  }
  return { asked, tx: tx as never as Parameters<ReturnType<typeof createKnownLinks>['find']>[0] }
}

interface Case {
  /** What was asked before, and answered. */
  before?: [LinksFitting, StoredLink[]][]
  select: LinksFitting
  /** What is asked now; none: nothing. */
  asks?: LinksFitting
  answer?: StoredLink[]
  found: number[]
}

test.each<[string, Case]>([
  ['nothing is selected', { select: { of: [], named: [] }, found: [] }],
  ['nothing is known', { select: { of: [1] }, asks: { of: [1] }, answer: [link(1)], found: [1] }],
  ['all is known', { before: [[{ of: [1] }, [link(1)]]], select: { of: [1] }, found: [1] }],
  ['it is known that there is none', { before: [[{ of: [1] }, []]], select: { of: [1] }, found: [] }],
  [
    'some values are known',
    {
      before: [[{ of: [1, 2] }, [link(1), link(2)]]],
      ...{ select: { of: [2, 3] }, asks: { of: [3] }, answer: [link(3)], found: [2, 3] },
    },
  ],
  [
    'values were asked one after the other',
    {
      before: [
        [{ named: ['a'] }, [link(1, { name: 'a' })]],
        [{ named: ['b'] }, [link(2, { name: 'b' })]],
      ],
      ...{ select: { named: ['a', 'b'] }, found: [1, 2] },
    },
  ],
  [
    'the same value was asked by another term',
    {
      before: [[{ of: [1] }, [link(1, { documentId: 1 })]]],
      ...{ select: { inDocuments: [1] }, asks: { inDocuments: [1] }, answer: [], found: [1] },
    },
  ],
  [
    'links that lead elsewhere are always asked for',
    {
      before: [[{ of: [1], astray: [{ name: 'a', target: 7 }] }, []]],
      select: { of: [1], astray: [{ name: 'a', target: 7 }] },
      ...{ asks: { astray: [{ name: 'a', target: 7 }] }, answer: [link(1, { name: 'a' })], found: [1] },
    },
  ],
  [
    'what is found twice counts once',
    {
      before: [[{ of: [1] }, [link(1, { name: 'a' })]]],
      select: { of: [1], named: ['a'] },
      ...{ asks: { named: ['a'] }, answer: [link(1, { name: 'a' })], found: [1] },
    },
  ],
  [
    'they come in the order of their places',
    {
      before: [[{ of: [1] }, [link(1, { place: 2 })]]],
      select: { of: [1, 2] },
      ...{ asks: { of: [2] }, answer: [link(2, { place: 1 })], found: [2, 1] },
    },
  ],
  [
    'what is known and does not fit is left out',
    { before: [[{ of: [1, 2] }, [link(1), link(2)]]], select: { of: [2] }, found: [2] },
  ],
  [
    'links that are asleep are found by their source',
    { before: [[{ of: [1] }, [link(1, { asleep: true })]]], select: { of: [1] }, found: [1] },
  ],
  [
    'and by nothing else',
    {
      before: [
        [{ of: [1] }, [link(1, { name: 'a', asleep: true })]],
        [{ named: ['a'] }, []],
      ],
      ...{ select: { named: ['a'] }, found: [] },
    },
  ],
])('links that an operation has seen: %s', async (_, { before = [], select, asks, answer = [], found }) => {
  const known = createKnownLinks()
  for (const [asked, rows] of before) known.add(asked, rows)
  const { asked, tx } = storeWith(...answer)
  expect((await known.find(tx, select)).map(({ id }) => id)).toEqual(found)
  expect(asked).toEqual(asks ? [asks] : [])
})

test('once they are forgotten all is asked again', async () => {
  const known = createKnownLinks()
  known.add({ of: [1] }, [link(1)])
  known.clear()
  const { asked, tx } = storeWith(link(2))
  expect(await known.find(tx, { of: [1] })).toEqual([link(2)])
  expect(asked).toEqual([{ of: [1] }])
})

test('more than there is room for are not kept: those are asked for again, and the others are not', async () => {
  const known = createKnownLinks()
  known.add({ of: [1] }, [link(1)])
  const many = Array.from({ length: 10_000 }, (_, at) => link(at + 2, { name: 'a' }))
  known.add({ named: ['a'] }, many)
  const { asked, tx } = storeWith(...many)
  expect(await known.find(tx, { of: [1], named: ['a'] })).toHaveLength(10_001)
  expect(asked).toEqual([{ named: ['a'] }])
})
