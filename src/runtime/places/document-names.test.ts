import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Address } from '../../core/model.ts'
import { addressesNamed, documentName, type Naming } from './document-names.ts'
import { placesOf } from './places.ts'

const NAMING: Naming = {
  places: placesOf('/home-of-a-memory/.remindb/memory.db'),
  redact: (text) => text.replaceAll('hunter2', '[REDACTED:test]'),
  roots: ['.', 'below', '/elsewhere'],
  cwd: '/home-of-a-memory/below/deep',
}

const name = fc.string({ minLength: 1, unit: 'grapheme' }).filter((text) => !text.includes('\0'))
const segment = fc.stringMatching(/^[A-Za-z0-9_. -]+$/)
const path = fc.array(segment, { minLength: 1, maxLength: 4 }).map((segments) => `/${segments.join('/')}`)
const file = fc.stringMatching(/^[a-z]([a-z:@#. ]*[a-z])?$/)

const address: fc.Arbitrary<Address> = fc.oneof(
  fc.record({ kind: fc.constant('key' as const), key: name }),
  fc.record({ kind: fc.constant('record' as const), id: fc.uuid({ version: 4 }) }),
  fc.record({ kind: fc.constant('note' as const), id: fc.stringMatching(/^[0-9A-Za-z]{11}$/) }),
  fc.record({
    ...{ kind: fc.constant('file' as const), scope: fc.constant('global' as const) },
    ...{ thread: fc.constant(''), node: name, path },
  }),
  fc.record({
    ...{ kind: fc.constant('file' as const), scope: fc.constant('perThread' as const) },
    ...{ thread: name, node: name, path },
  }),
  fc.record({
    ...{ kind: fc.constant('source' as const), root: fc.constantFrom('.', 'below', '/elsewhere') },
    path: fc.array(file, { minLength: 1, maxLength: 3 }).map((names) => names.join('/')),
  }),
)

test('the printed name of every document means that document', () => {
  fc.assert(
    fc.property(address, (given) => {
      expect(addressesNamed(NAMING, documentName(NAMING.places, given))).toContainEqual(given)
    }),
  )
})

test.each<[string, Address]>([
  ['a.md', { kind: 'source', root: '/elsewhere', path: 'a.md' }],
  ['a.md', { kind: 'source', root: 'below', path: 'a.md' }],
  ['a.md', { kind: 'source', root: '.', path: 'below/deep/a.md' }],
  ['../a.md', { kind: 'source', root: 'below', path: 'a.md' }],
  ['./key:a', { kind: 'source', root: 'below', path: 'deep/key:a' }],
  ['/elsewhere/b/a.md', { kind: 'source', root: '/elsewhere', path: 'b/a.md' }],
  ['memory://_key/core', { kind: 'key', key: 'core' }],
  ['memory://a%2Fb', { kind: 'key', key: 'a/b' }],
  ['key:it is hunter2', { kind: 'key', key: 'it is [REDACTED:test]' }],
])('%s may mean %j', (given, meant) => {
  expect(addressesNamed(NAMING, given)).toContainEqual(meant)
})

test('a file can have a name that begins like that of a door', () => {
  const kinds = addressesNamed(NAMING, 'key:a').map(({ kind }) => kind)
  expect(new Set(kinds)).toEqual(new Set(['key', 'source']))
})

test('a name with many signs means few documents, and a longer one than any path none', () => {
  const many = `file:${'@'.repeat(1000)}${'/a'.repeat(1000)}`
  expect(addressesNamed({ ...NAMING, cwd: undefined }, many).length).toBeLessThan(300)
  expect(addressesNamed(NAMING, `file:m${'/a'.repeat(100_000)}`)).toEqual([])
})
