import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { parseTemperatures, readTemperatures } from './temperatures.ts'

const seedsOf = (object: unknown, ...paths: string[]): (number | undefined)[] =>
  paths.map(parseTemperatures(JSON.stringify(object)))

test('a number covers a file, or everything below a folder', () => {
  const seeds = { 'README.md': 0.9, docs: 0.3 }
  expect(seedsOf(seeds, 'README.md', 'docs/a.md', 'docs/deep/b.md', 'other.md', 'x/README.md')).toEqual([
    0.9,
    0.3,
    0.3,
    undefined,
    undefined,
  ])
})

test('nested objects and keys with slashes are the same', () => {
  const paths = ['docs/guide/a.md', 'docs/guide/b.md', 'docs/c.md']
  const flat = { 'docs/guide/a.md': 0.9, 'docs/guide/*': 0.2, 'docs/*': 0.4 }
  const nested = { docs: { guide: { 'a.md': 0.9, '*': 0.2 }, '*': 0.4 } }
  const mixed = { './docs/': { 'guide/a.md': 0.9, './guide/*': 0.2 }, 'docs/*': 0.4 }
  for (const seeds of [flat, nested, mixed]) expect(seedsOf(seeds, ...paths)).toEqual([0.9, 0.2, 0.4])
})

test('the deepest star on the way is the fallback', () => {
  const seeds = { '*': 0.1, docs: { '*': 0.2, guide: { 'a.md': 0.9 } } }
  expect(seedsOf(seeds, 'x.md', 'docs/x.md', 'docs/guide/a.md', 'docs/guide/x.md', 'y/z.md')).toEqual([
    0.1, 0.2, 0.9, 0.2, 0.1,
  ])
})

test('a star is only a star: no patterns, nothing below it, no file of that name', () => {
  const seeds = { '*.md': 0.1, a: { '*': { 'b.md': 0.7 } } }
  expect(seedsOf(seeds, 'x.md', 'a/c/b.md', 'a/*/b.md', '*.md')).toEqual([
    undefined,
    undefined,
    undefined,
    0.1,
  ])
})

test('names of properties that every object has are names like others', () => {
  expect(seedsOf({ a: 0.1 }, 'constructor', '__proto__', 'a/constructor')).toEqual([
    undefined,
    undefined,
    0.1,
  ])
  const own = parseTemperatures('{ "__proto__": { "x.md": 0.4 }, "constructor": 0.2 }')
  expect([own('__proto__/x.md'), own('constructor/y.md')]).toEqual([0.4, 0.2])
})

test.each([
  ['', 'a.md'],
  ['  \n', 'a.md'],
  ['{}', 'a.md'],
  ['\uFEFF{ "b": 0 }', 'a.md'],
])('%j says nothing of %s', (text, path) => {
  expect(parseTemperatures(text)(path)).toBeUndefined()
})

test.each([
  [{ a: 1.5 }, 'temperature for "a" out of range [0, 1]: 1.5'],
  [{ a: { b: -0.1 } }, 'temperature for "a/b" out of range [0, 1]: -0.1'],
  [{ a: '0.5' }, 'unexpected type for "a": string'],
  [{ a: { b: null } }, 'unexpected type for "a/b": null'],
  [{ a: [0.5] }, 'unexpected type for "a": array'],
  [{ a: true }, 'unexpected type for "a": boolean'],
  [{ 'a//b': 0.5 }, 'invalid path segment "" in key "a//b"'],
  [{ '/a': 0.5 }, 'invalid path segment "" in key "/a"'],
  [{ 'a/../b': 0.5 }, 'invalid path segment ".." in key "a/../b"'],
  [{ '././a': 0.5 }, 'invalid path segment "." in key "././a"'],
  [{ '.': 0.5 }, 'invalid path segment "." in key "."'],
  [{ '': 0.5 }, 'empty key ""'],
  [{ './': 0.5 }, 'empty key "./"'],
  [{ '/': {} }, 'empty key "/"'],
  [{ 'a/b': 0.5, a: { b: 0.5 } }, 'conflicting temperatures for "a/b"'],
  [{ a: 0.5, './a/': 0.5 }, 'conflicting temperatures for "a"'],
  [{ a: 0.5, 'a/b': 0.6 }, 'conflicting temperatures for "a"'],
  [{ 'a/b': 0.6, a: 0.5 }, 'conflicting temperatures for "a"'],
  [{ a: 0.5, './a': {} }, 'conflicting temperatures for "a"'],
  [0.5, 'must contain one JSON object'],
  [[], 'must contain one JSON object'],
  [null, 'must contain one JSON object'],
])('%j is refused', (seeds, message) => {
  expect(() => parseTemperatures(JSON.stringify(seeds))).toThrow(new Error(message))
})

test('text that is not JSON is refused', () => {
  expect(() => parseTemperatures('{ a: 1 }')).toThrow('line 1: invalid JSON: expected a key in double quotes')
})

test('a path without a file is ignored; a path that is not a file is refused by name', () => {
  const folder = mkdtempSync(join(tmpdir(), 'remindb-temperatures-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  expect(readTemperatures(join(folder, 'temperatures.json'))).toBeUndefined()
  expect(() => readTemperatures(folder)).toThrow('invalid .remindb/temperatures.json: is not a file')
})

test('returns a number in range or nothing, for any content of the file', () => {
  fc.assert(
    fc.property(fc.json(), fc.string(), (text, path) => {
      let seed: number | undefined
      try {
        seed = parseTemperatures(text)(path)
      } catch {
        return
      }
      expect(seed === undefined || (seed >= 0 && seed <= 1)).toBe(true)
    }),
  )
})
