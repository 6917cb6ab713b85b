import { expect, test } from 'vitest'
import { lastChanges } from './map-changes.ts'

test.each([
  ['nothing', '', { changed: '', changedAtOnce: null }],
  ['a few, the newest first', 'a1 b3 c2', { changed: 'b3 c2 a1', changedAtOnce: null }],
  ['by name where one snapshot changed several', 'c2 b2 a1', { changed: 'b2 c2 a1', changedAtOnce: null }],
  ['no more than there is room for', 'a1 b2 c3 d4', { changed: 'd4 c3 b2', changedAtOnce: null }],
  ['none of a snapshot that changed too many', 'a1 b1 c1 d4', { changed: 'd4', changedAtOnce: null }],
  ['the snapshot that changed all at once', 'a1 b1 c1 d1 e1', { changed: '', changedAtOnce: 1 }],
])('names what changed last: %s', (_, given, { changed, changedAtOnce }) => {
  const documents = given.split(' ').filter(Boolean)
  const found = lastChanges(
    documents.map(([name = '', id]) => ({ name, snapshotId: Number(id) })),
    3,
  )
  expect(found.changed.map(({ name, snapshotId }) => `${name}${snapshotId}`).join(' ')).toBe(changed)
  expect(found.changedAtOnce).toBe(changedAtOnce)
})
