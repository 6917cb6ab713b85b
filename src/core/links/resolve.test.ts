import { expect, test } from 'vitest'
import { linkName } from '../link.ts'
import { RELATIVE } from '../link-parts.ts'
import { namesOf } from './document-names.ts'
import type { Place } from './nearest.ts'
import { createResolver, type LinkFacts } from './resolve.ts'

interface Node {
  key: number
  id: string
  heading?: string
  text?: string
  depth?: number
}
interface Document {
  path: string
  aliases?: string
  nodes: Node[]
}

/** Documents by id; the first node of each is its first root. */
const DOCUMENTS: Record<number, Document> = {
  1: {
    path: 'index.md',
    nodes: [
      { key: 10, id: 'a', heading: 'Index' },
      { key: 11, id: 'b', text: 'about deploys ^deploys' },
    ],
  },
  2: {
    path: 'work/Plan.md',
    aliases: 'aliases: [Roadmap, Next Steps]',
    nodes: [
      { key: 20, id: 'c', heading: 'Plan' },
      { key: 21, id: 'd', heading: 'Open points', depth: 1 },
      { key: 22, id: 'e', text: 'one\nlast line ^block' },
    ],
  },
  3: {
    path: 'home/Plan.md',
    nodes: [
      { key: 30, id: 'g', heading: 'At home' },
      { key: 31, id: 'h', heading: 'Garden', depth: 2 },
      { key: 32, id: 'f', heading: 'Garden', depth: 1 },
    ],
  },
}

const all = Object.entries(DOCUMENTS).map(([id, document]) => ({ id: Number(id), ...document }))
const nodesOf = (id: number): Node[] => DOCUMENTS[id]?.nodes ?? []

function place(document: number): Place {
  const shown = DOCUMENTS[document]?.path ?? ''
  return { document, group: 'source docs', folders: shown.split('/').slice(0, -1), shown, isFile: true }
}

const facts: LinkFacts = {
  nodeById: (id) => all.flatMap(({ nodes }) => nodes).find((node) => node.id === id)?.key ?? null,
  place,
  documentsNamed: (name) =>
    all.flatMap(({ id, path, aliases = '' }) => {
      const isAlias = namesOf({ path, root: 1, front: [aliases] }).get(name)
      return isAlias === undefined ? [] : [{ place: place(id), isAlias }]
    }),
  headingsNamed: (name) =>
    all.flatMap(({ id: documentId, nodes }) =>
      nodes
        .filter(({ heading = '' }) => linkName(heading) === name)
        .map(({ key, id, depth = 0 }) => ({ name, key, id, documentId, depth })),
    ),
  headingNames: (id) => nodesOf(id).flatMap(({ heading }) => (heading ? [linkName(heading)] : [])),
  markedTexts: (id) => nodesOf(id).flatMap(({ key, text }) => (text?.includes('^') ? [{ key, text }] : [])),
  firstRoot: (id) => nodesOf(id)[0]?.key ?? null,
}

test.each([
  ['a heading of the same document', 'Open points', 2, 21],
  ['a file in any case', 'plan', 2, 20],
  ['the nearest of two files', 'Plan.md', 3, 30],
  ['the file in the named folder', 'home/Plan', 1, 30],
  ['an alias', 'Roadmap', 1, 20],
  ['an alias with something else shown', 'next steps|later', 1, 20],
  ['a heading elsewhere', 'Garden', 1, 32],
  ['a section of a file', 'work/Plan#Open points', 1, 21],
  ['the file of a missing section', 'work/Plan#Nowhere', 1, 20],
  ['a block of a file', 'work/Plan#^block', 1, 22],
  ['a block of the same document', '#^deploys', 1, 11],
  ['nothing for a missing block of the same document', '#^nothing', 1, null],
  ['nothing', 'Unknown', 1, null],
])('[[…]] leads to %s: %s', (_, label, documentId, target) => {
  const { targetOf } = createResolver(facts)
  expect(targetOf({ label, source: '', targetId: '', documentId })).toBe(target)
})

test.each([
  ['../home/Plan.md', 2, 30],
  ['../home/Plan.md#garden', 2, 32],
  ['Plan.md', 1, null],
  ['../../index.md', 2, null],
])('a Markdown link leads along its path: %s', (label, documentId, target) => {
  const { targetOf } = createResolver(facts)
  expect(targetOf({ label, source: RELATIVE, targetId: '', documentId })).toBe(target)
})

test.each([
  ['f', 32],
  ['nobody', null],
])('an id leads to its node and nowhere else: %s', (targetId, target) => {
  expect(createResolver(facts).targetOf({ label: 'Plan', source: '', targetId, documentId: 1 })).toBe(target)
})

test('a source narrows headings down to one file', () => {
  const { targetOf } = createResolver(facts)
  const asked = { label: 'Garden', targetId: '', documentId: 1 }
  expect(targetOf({ ...asked, source: 'home/Plan.md' })).toBe(32)
  expect(targetOf({ ...asked, source: 'work/Plan.md' })).toBeNull()
})
