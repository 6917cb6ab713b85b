import { describe, expect, test } from 'vitest'
import { loadXxh64 } from '../util/text/xxh64.ts'
import { firstId, payloadId } from './ids.ts'

const hash = await loadXxh64()

describe('the published id vectors', () => {
  test.each([
    ['a.md', null, 0, 'FC4TQ4IMGIk'],
    ['a.md', null, 1, 'JIbTLXwMXYg'],
    ['a.md', 'FC4TQ4IMGIk', 0, '25FHWVYdid1'],
    ['a.md', 'FC4TQ4IMGIk', 1, '3PFgqoBrpp1'],
    ['sub/b.md', null, 0, 'D0rjmo86BlJ'],
    ['CLAUDE.md', null, 0, '3kGXxidmWBp'],
    ['CLAUDE.md', null, 1, '6EuIVj5zt5j'],
    ['CLAUDE.md', '6EuIVj5zt5j', 1, '603qfsg4qd2'],
    ['CLAUDE.md', '6EuIVj5zt5j', 2, 'FQwpXL4bm6Y'],
    ['CLAUDE.md', '6EuIVj5zt5j', 5, 'LTQZLSkPsDW'],
  ])('node (%s, %s, %i) is %s', (path, parent, index, id) => {
    expect(firstId(hash, path, parent, index)).toBe(id)
  })

  test('the id of a note derives from its payload', () => {
    expect(payloadId(hash, 'mcp:write', 'hello')).toBe('9c76X9FLT5Q')
  })

  test('content hashes are XXH64 in hex', () => {
    expect(hash('').toString(16)).toBe('ef46db3751d8e999')
    expect(hash('hello world').toString(16)).toBe('45ab6734b21e6968')
  })
})
