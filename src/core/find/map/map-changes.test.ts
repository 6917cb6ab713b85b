import { expect, test } from 'vitest'
import { lastChanges } from './map-changes.ts'

test.each([
  ['nothing', '', { changed: '', changedAtOnce: null }],
  ['a few, newest first', 'a1 b3 c2', { changed: 'b3 c2 a1', changedAtOnce: null }],
  ['by name if one snapshot changed several', 'c2 b2 a1', { changed: 'b2 c2 a1', changedAtOnce: null }],
  ['no more than the limit', 'a1 b2 c3 d4', { changed: 'd4 c3 b2', changedAtOnce: null }],
  [
    'none of a snapshot that changed too many documents',
    'a1 b1 c1 d4',
    { changed: 'd4', changedAtOnce: null },
  ],
  ['the snapshot that changed everything', 'a1 b1 c1 d1 e1', { changed: '', changedAtOnce: 1 }],
])('lastChanges names %s', (_, given, { changed, changedAtOnce }) => {
  const documents = given.split(' ').filter(Boolean)
  const found = lastChanges(
    documents.map(([name = '', id]) => ({ name, snapshotId: Number(id) })),
    3,
  )
  expect(found.changed.map(({ name, snapshotId }) => `${name}${snapshotId}`).join(' ')).toBe(changed)
  expect(found.changedAtOnce).toBe(changedAtOnce)
})
