import { expect, test } from 'vitest'
import type { LinksFitting, StoredLink } from '../port/links.ts'
import { createKnownLinks } from './known-links.ts'

const link = (id: number, more: Partial<StoredLink> = {}): StoredLink => ({
  ...{ id, sourceKey: id, documentId: 1, origin: 'parsed', place: 0, label: '', source: '' },
  ...{ wantedId: '', name: '', file: '', section: '', weight: 1, targetKey: null, asleep: false },
  createdAt: 0,
  ...more,
})

/** A store with these links that records its calls. */
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
  /** Earlier reads, with their answers. */
  before?: [LinksFitting, StoredLink[]][]
  select: LinksFitting
  /** The expected read; none: nothing is read. */
  asks?: LinksFitting
  answer?: StoredLink[]
  found: number[]
}

test.each<[string, Case]>([
  ['nothing is selected', { select: { of: [], named: [] }, found: [] }],
  ['nothing is known', { select: { of: [1] }, asks: { of: [1] }, answer: [link(1)], found: [1] }],
  ['all is known', { before: [[{ of: [1] }, [link(1)]]], select: { of: [1] }, found: [1] }],
  ['it is known that there are none', { before: [[{ of: [1] }, []]], select: { of: [1] }, found: [] }],
  [
    'some values are known',
    {
      before: [[{ of: [1, 2] }, [link(1), link(2)]]],
      ...{ select: { of: [2, 3] }, asks: { of: [3] }, answer: [link(3)], found: [2, 3] },
    },
  ],
  [
    'values were read one after the other',
    {
      before: [
        [{ named: ['a'] }, [link(1, { name: 'a' })]],
        [{ named: ['b'] }, [link(2, { name: 'b' })]],
      ],
      ...{ select: { named: ['a', 'b'] }, found: [1, 2] },
    },
  ],
  [
    'the same value was read by another term',
    {
      before: [[{ of: [1] }, [link(1, { documentId: 1 })]]],
      ...{ select: { inDocuments: [1] }, asks: { inDocuments: [1] }, answer: [], found: [1] },
    },
  ],
  [
    'links with another target are always read',
    {
      before: [[{ of: [1], astray: [{ name: 'a', target: 7 }] }, []]],
      select: { of: [1], astray: [{ name: 'a', target: 7 }] },
      ...{ asks: { astray: [{ name: 'a', target: 7 }] }, answer: [link(1, { name: 'a' })], found: [1] },
    },
  ],
  [
    'duplicates count once',
    {
      before: [[{ of: [1] }, [link(1, { name: 'a' })]]],
      select: { of: [1], named: ['a'] },
      ...{ asks: { named: ['a'] }, answer: [link(1, { name: 'a' })], found: [1] },
    },
  ],
  [
    'links are ordered by place',
    {
      before: [[{ of: [1] }, [link(1, { place: 2 })]]],
      select: { of: [1, 2] },
      ...{ asks: { of: [2] }, answer: [link(2, { place: 1 })], found: [2, 1] },
    },
  ],
  [
    'known links that do not match are left out',
    { before: [[{ of: [1, 2] }, [link(1), link(2)]]], select: { of: [2] }, found: [2] },
  ],
  [
    'links that are asleep are found by their source',
    { before: [[{ of: [1] }, [link(1, { asleep: true })]]], select: { of: [1] }, found: [1] },
  ],
  [
    'links that are asleep are found by nothing else',
    {
      before: [
        [{ of: [1] }, [link(1, { name: 'a', asleep: true })]],
        [{ named: ['a'] }, []],
      ],
      ...{ select: { named: ['a'] }, found: [] },
    },
  ],
])('known links: %s', async (_, { before = [], select, asks, answer = [], found }) => {
  const known = createKnownLinks()
  for (const [asked, rows] of before) known.add(asked, rows)
  const { asked, tx } = storeWith(...answer)
  expect((await known.find(tx, select)).map(({ id }) => id)).toEqual(found)
  expect(asked).toEqual(asks ? [asks] : [])
})

test('cleared known links are read again', async () => {
  const known = createKnownLinks()
  known.add({ of: [1] }, [link(1)])
  known.clear()
  const { asked, tx } = storeWith(link(2))
  expect(await known.find(tx, { of: [1] })).toEqual([link(2)])
  expect(asked).toEqual([{ of: [1] }])
})

test('known links beyond the maximum are read again, and the others are not', async () => {
  const known = createKnownLinks()
  known.add({ of: [1] }, [link(1)])
  const many = Array.from({ length: 10_000 }, (_, at) => link(at + 2, { name: 'a' }))
  known.add({ named: ['a'] }, many)
  const { asked, tx } = storeWith(...many)
  expect(await known.find(tx, { of: [1], named: ['a'] })).toHaveLength(10_001)
  expect(asked).toEqual([{ named: ['a'] }])
})
