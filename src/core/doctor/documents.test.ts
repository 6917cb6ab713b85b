import { describe, expect, test } from 'vitest'
import { followingBeginnings, hasSoundAccesses, wrongTags } from './documents.ts'

describe('the check of documents', () => {
  const A = { tag: 'A', word: '#a' }
  const B = { tag: 'B', word: '#b' }
  test.each<[string[], { tag: string; word: string }[], 'live' | 'removed', number]>([
    [[], [], 'live', 0],
    [['A', 'B', 'A'], [B, A], 'live', 0],
    [['A'], [], 'live', 1],
    [[], [A], 'live', 1],
    [['A'], [B], 'live', 2],
    [['A'], [{ tag: 'A', word: '#x' }], 'live', 2],
    [['A'], [], 'removed', 0],
    [['A'], [A], 'removed', 1],
  ])('counts wrong tags: %j stored as %j, %s: %i', (tags, stored, state, wrong) => {
    expect(wrongTags({ state, tags: stored, attributes: { tags } })).toBe(wrong)
  })

  test.each<[unknown, unknown, 'live' | 'erased', boolean]>([
    [0, null, 'live', true],
    [3, 5, 'live', true],
    [0, null, 'erased', true],
    [3, 5, 'erased', false],
    [0, 5, 'live', false],
    [3, null, 'live', false],
    [-1, 5, 'live', false],
    [1.5, 5, 'live', false],
    ['3', 5, 'live', false],
    [3, 'now', 'live', false],
  ])('%j accesses, last at %j, of a %s document are valid: %s', (accesses, accessedAt, state, expected) => {
    expect(hasSoundAccesses({ accesses, accessedAt, state })).toBe(expected)
  })

  type Version = [documentId: number, lead: string | null, state?: 'removed']
  test.each<[string, number[], Version[], number]>([
    ['a whole text', [], [[1, null]], 0],
    [
      'a piece after it',
      [1],
      [
        [1, null],
        [1, '\n'],
      ],
      0,
    ],
    ['a piece after nothing', [1], [[1, '\n']], 2],
    [
      'a piece after a text of another document',
      [],
      [
        [1, null],
        [2, '\n'],
      ],
      1,
    ],
    [
      'a piece after a removed text',
      [],
      [
        [1, null, 'removed'],
        [1, '\n'],
      ],
      1,
    ],
    ['pieces without the whole text', [1], [], 1],
    [
      'a piece after a piece that lost its beginning',
      [1],
      [
        [1, ''],
        [1, '\n'],
      ],
      2,
    ],
  ])('%s', (_, appended, versions, lost) => {
    const beginnings = followingBeginnings()
    for (const id of appended) beginnings.document({ id, appended: true })
    for (const [documentId, lead, state = 'live'] of versions) beginnings.version({ documentId, lead, state })
    expect(beginnings.lost()).toBe(lost)
  })
})
