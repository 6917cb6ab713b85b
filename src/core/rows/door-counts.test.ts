import { expect, test } from 'vitest'
import type { Attributes } from '../port/doors.ts'
import type { StoredDocument } from '../port/stored.ts'
import { doorCounts } from './door-counts.ts'

function stored(
  kind: 'key' | 'record',
  attributes: Attributes | null,
  other: Partial<StoredDocument> = {},
): StoredDocument {
  const address = kind === 'key' ? { kind, key: 'k' } : { kind, id: 'r' }
  return {
    ...{
      id: 1,
      address,
      state: 'live',
      digest: 'd',
      textDigest: 'd',
      textBytes: 0,
      userId: null,
      appended: false,
    },
    ...{ attributes, revision: 1, createdAt: 1, updatedAt: 1, accesses: 0, accessedAt: null },
    ...other,
  }
}
const key = (attributes: Attributes, other?: Partial<StoredDocument>) => stored('key', attributes, other)
const record = (attributes: Attributes, textBytes = 0) => stored('record', attributes, { textBytes })
const KEY = { kind: 'key', state: 'live', archived: '', type: '', importance: '', status: '' }
const RECORD = { kind: 'record', state: 'live', archived: 0, type: 'core', importance: '', status: '' }
const core = { type: 'core', archived: false }

test.each<[string, StoredDocument | null, StoredDocument, object[], object[]]>([
  ['a new key', null, key({}), [{ ...KEY, count: 1, bytes: 0 }], []],
  [
    'its tags, each once',
    null,
    key({ tags: ['a', 'a'] }),
    [{ ...KEY, count: 1, bytes: 0 }],
    [{ kind: 'key', tag: 'a', count: 1 }],
  ],
  [
    'other tags',
    key({ tags: ['a', 'b'] }),
    key({ tags: ['b', 'c'] }),
    [],
    [
      { kind: 'key', tag: 'a', count: -1 },
      { kind: 'key', tag: 'c', count: 1 },
    ],
  ],
  ['a key that is stored again unchanged', key({ tags: ['a'] }), key({ tags: ['a'] }), [], []],
  [
    'a removed key',
    key({ tags: ['a'] }),
    key({}, { state: 'removed' }),
    [{ ...KEY, count: -1, bytes: 0 }],
    [{ kind: 'key', tag: 'a', count: -1 }],
  ],
  [
    'a tombstone, whose tags do not count',
    key({ tags: ['a'] }),
    key({ tags: ['a'] }, { state: 'erased' }),
    [
      { ...KEY, count: -1, bytes: 0 },
      { ...KEY, state: 'erased', count: 1, bytes: 0 },
    ],
    [{ kind: 'key', tag: 'a', count: -1 }],
  ],
  ['the bytes of a record', record(core, 5), record(core, 8), [{ ...RECORD, count: 0, bytes: 3 }], []],
  [
    'an archived record',
    record({ ...core, tags: ['a'] }, 5),
    record({ ...core, archived: true, tags: ['a'] }, 5),
    [
      { ...RECORD, count: -1, bytes: -5 },
      { ...RECORD, archived: 1, count: 1, bytes: 5 },
    ],
    [{ kind: 'record', tag: 'a', count: -1 }],
  ],
])('doorCounts counts %s', (_, before, after, counts, tags) => {
  expect(doorCounts([{ before, after }])).toEqual({ doorCounts: counts, tagCounts: tags })
})

test('doorCounts ignores files and notes', () => {
  const note = { ...key({ tags: ['a'] }), address: { kind: 'note', id: 'n' } as const }
  expect(doorCounts([{ before: null, after: note }])).toEqual({ doorCounts: [], tagCounts: [] })
})
