import { expect, test } from 'vitest'
import type { NodeRow } from '../port/rows.ts'
import type { NodePut } from '../port/write-set.ts'
import { collectLinkChanges } from './changes.ts'

const prose = {
  ...{ key: 7, id: 'n7', documentId: 1, parentKey: 1, position: 'a0', type: 'text', format: 'plain' },
  ...{ label: 'Prose', name: null, tokens: 1, mark: 1n, digest: 'd', links: null, removedIn: null },
} as const satisfies NodeRow

/** The changes after puts of the node with these fields, one commit each. */
function changesOf(...puts: { before?: Partial<NodeRow>; after?: Partial<NodeRow>; text?: string }[]) {
  const { noteSet, takeChanges } = collectLinkChanges()
  for (const { before, after, text = 'Prose' } of puts) {
    const put: NodePut = { before: before ? { ...prose, ...before } : null, after: { ...prose, ...after } }
    noteSet({ nodes: [put], texts: [{ digest: put.after.digest, text, by: 1 }] })
  }
  return takeChanges()
}

test('of a new node that only its id leads to, only the id is kept', () => {
  const { nodes, plain } = changesOf({})
  expect({ nodes: nodes.size, plain: [...plain] }).toEqual({ nodes: 0, plain: [[7, 'n7']] })
})

test.each([
  ['a heading', { after: { type: 'heading', name: 'prose' } }],
  ['links', { after: { links: '[]' } }],
  ['a root', { after: { parentKey: null } }],
  ['a list, which may have aliases', { after: { type: 'list' } }],
  ['front matter', { after: { type: 'preamble' } }],
  ['a block that is named', { text: 'Prose ^here' }],
  ['one that is gone again', { after: { removedIn: 3 } }],
  ['one that was stored', { before: {} }],
] as const)('a change is kept as a whole if links may follow from it: %s', (_, put) => {
  const { nodes, plain } = changesOf(put)
  expect({ nodes: [...nodes.keys()], plain: plain.size }).toEqual({ nodes: [7], plain: 0 })
})

test('a new node that changes again is still new', () => {
  const renamed = { type: 'heading', name: 'prose' } as const
  const { nodes, plain } = changesOf({}, { before: {}, after: renamed })
  expect(nodes.get(7)).toMatchObject({ before: null, after: renamed })
  expect(plain.size).toBe(0)
  const back = changesOf({ after: renamed }, { before: renamed })
  expect({ nodes: back.nodes.size, plain: [...back.plain] }).toEqual({ nodes: 0, plain: [[7, 'n7']] })
})

test('changes are taken once', () => {
  const { noteSet, takeChanges } = collectLinkChanges()
  noteSet({ nodes: [{ before: null, after: prose }], texts: [{ digest: 'd', text: 'Prose', by: 1 }] })
  expect([takeChanges().plain.size, takeChanges().plain.size]).toEqual([1, 0])
})
