import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { foldersAbove, normalizePath } from './path.ts'

const invalid = (message: string) => expect.objectContaining({ fileCode: 'EINVAL', message })

describe('normalizePath', () => {
  test.each([
    ['a/b', '/a/b'],
    ['/a//b/', '/a/b'],
    ['/a/b', '/a/b'],
    ['\\a\\b', '/a/b'],
    ['  /notes/today ', '/notes/today'],
    ['/', '/'],
    ['///', '/'],
    ['/My Notes/v1.2_a-b.md', '/My Notes/v1.2_a-b.md'],
    ['/a/./b', '/a/./b'],
    ['/Notes', '/Notes'],
    ['/a/ /', '/a'],
    ['/a / b', '/a / b'],
  ])('turns %j into %j', (given, path) => {
    expect(normalizePath(given)).toBe(path)
  })

  test.each([
    ['', 'path is required'],
    [' \t\n', 'path is required'],
    ['../x', 'invalid path: ".." not allowed'],
    ['/a/..', 'invalid path: ".." not allowed'],
    ['/a..b', 'invalid path: ".." not allowed'],
    ['/a/$b', 'invalid path: "$" not allowed'],
    ['/bad$eg', 'invalid path: "$" not allowed'],
    ['/a/b:c', 'invalid path segment: b:c'],
    ['/a/ü', 'invalid path segment: ü'],
    ['/a/b\n', undefined],
    ['/a\nb', 'invalid path segment: a\nb'],
    [`/${'a'.repeat(5000)}`, 'invalid path: longer than 4096 characters; give a shorter one'],
  ])('rejects %j', (given, message) => {
    if (message === undefined) expect(normalizePath(given)).toBe('/a/b')
    else expect(() => normalizePath(given)).toThrow(invalid(message))
  })

  test('is idempotent for any path', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom('a', '/', '\\', '.', ' ', '$') })),
        (given) => {
          let path: string
          try {
            path = normalizePath(given)
          } catch (error) {
            expect(error).toMatchObject({ fileCode: 'EINVAL' })
            return
          }
          expect(path).toMatch(/^\/$|^(\/[A-Za-z0-9_. -]+)+$/)
          expect(path).not.toContain('..')
          expect(normalizePath(path)).toBe(path)
        },
      ),
    )
  })
})

test('foldersAbove lists the folders above a path, outermost first', () => {
  expect(foldersAbove('/a/b/c')).toEqual(['/a', '/a/b'])
  expect(foldersAbove('/a')).toEqual([])
  expect(foldersAbove('/')).toEqual([])
})
