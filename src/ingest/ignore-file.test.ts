import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { isMemoryError } from '../core/errors.ts'
import { parseIgnoreFile, readIgnoreFile } from './ignore-file.ts'

const isIgnored = (text: string, path: string): boolean => parseIgnoreFile(text)(path) !== undefined

describe('a rule', () => {
  test.each([
    ['*.log', 'a.log', true],
    ['*.log', 'deep/a.log', true],
    ['*.log', 'a.log.md', false],
    ['/todo.md', 'todo.md', true],
    ['/todo.md', 'sub/todo.md', false],
    ['sub/todo.md', 'sub/todo.md', true],
    ['sub/todo.md', 'deep/sub/todo.md', false],
    ['drafts/', 'drafts/', true],
    ['drafts/', 'a/drafts/b.md', true],
    ['drafts/', 'drafts', false],
    ['**/tmp/*.md', 'a/b/tmp/c.md', true],
    ['a/**/z.md', 'a/z.md', true],
    ['a/**/z.md', 'a/b/c/z.md', true],
    ['n?te.md', 'note.md', true],
    ['[ab].md', 'b.md', true],
    ['[!ab].md', 'b.md', false],
    ['[[:digit:]].md', '7.md', true],
    ['[]x].md', '].md', true],
    ['*.md\n!keep.md', 'keep.md', false],
    ['!keep.md\n*.md', 'keep.md', true],
    ['drafts/\n!drafts/keep.md', 'drafts/keep.md', true],
    ['\\#a.md', '#a.md', true],
    ['\\!a.md', '!a.md', true],
    ['Notes.md', 'notes.md', process.platform !== 'linux'],
    ['with space.md', 'with space.md', true],
    ['end\\ ', 'end ', true],
    ['end\\\\ ', 'end\\', true],
  ])('%j on %j: %j', (text, path, expected) => {
    expect(isIgnored(text, path)).toBe(expected)
  })
})

test('more rules than a folder may have are refused', () => {
  const rules = (count: number) => Array.from({ length: count }, (_, at) => `f${at}.md`).join('\n')
  expect(isIgnored(rules(5000), 'f4999.md')).toBe(true)
  expect(() => parseIgnoreFile(rules(5001))).toThrow(
    '.remindb/ignore has more than 5000 patterns; name folders instead of files',
  )
})

describe('a line', () => {
  test.each([
    ['*.log   # noise', 'a.log', true],
    ['*.log\t# noise', 'a.log', true],
    ['a#b.md', 'a#b.md', true],
    ['a \\#b.md', 'a #b.md', true],
    ['   # only a comment', '# only a comment', false],
    ['# a\n\n  \n*.md', 'a.md', true],
    ['  a.md  ', 'a.md', true],
    ['\uFEFFa.md', 'a.md', true],
    ['x\r\na.md\r\n', 'a.md', true],
    ['x # c\r\na.md # c\r\n', 'a.md', true],
  ])('%j on %j: %j', (text, path, expected) => {
    expect(isIgnored(text, path)).toBe(expected)
  })

  test('is reported by its number', () => {
    const findRule = parseIgnoreFile('\uFEFF# what is left out\r\n*.log # noise\r\n\r\ndrafts/')
    expect(findRule('a.log')).toBe(2)
    expect(findRule('drafts/deep/a.md')).toBe(4)
    expect(findRule('a.md')).toBeUndefined()
  })

  test.each([
    ['/', 'is empty'],
    ['!', 'is empty'],
    ['!/', 'is empty'],
    ['! # c', 'is empty'],
    ['a//b', 'two slashes'],
    ['//', 'two slashes'],
    ['**/a/**/b/**/c', 'more than 2 "**"'],
    ['a[b', 'not closed'],
    ['[]', 'not closed'],
    ['[!]', 'not closed'],
    ['[[:nonsense:]]', 'not closed'],
    ['a\\', 'backslash'],
    ['\\\\[', 'not closed'],
    ['a[b\\]', 'not closed'],
  ])('%j is refused by name', (line, reason) => {
    const parse = () => parseIgnoreFile(`ok.md\n\n${line}\n`)
    expect(parse).toThrow(/^\.remindb\/ignore line 3: the pattern ".*" /)
    expect(parse).toThrow(reason)
  })

  test.each(['\\[', 'a\\\\', '[a]]', '[\\]]', '!a', '/a', '*', '**', 'a/'])('%j is taken', (line) => {
    expect(() => parseIgnoreFile(line)).not.toThrow()
  })

  test('of any kind is a rule or refused, and never breaks the matching', () => {
    const lines = fc.array(fc.string({ unit: fc.constantFrom(...'ab/*?[]!^\\# -:.\t') }), { maxLength: 4 })
    fc.assert(
      fc.property(lines, fc.constantFrom('a', 'a/b', 'a/', '[', 'b.a/a b/-'), (given, path) => {
        try {
          const line = parseIgnoreFile(given.join('\n'))(path)
          expect(line === undefined || (line > 0 && line <= given.length)).toBe(true)
        } catch (error) {
          if (!isMemoryError(error)) throw error
          expect(error.code).toBe('INVALID_INPUT')
        }
      }),
      { numRuns: 500 },
    )
  })
})

test('a folder without the file has no rules; one that cannot be read is an error', () => {
  const root = mkdtempSync(join(tmpdir(), 'remindb-ignore-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  expect(readIgnoreFile(root)('a.md')).toBeUndefined()
  mkdirSync(join(root, '.remindb/ignore'), { recursive: true })
  expect(() => readIgnoreFile(root)).toThrow('.remindb/ignore is not a file')
  rmSync(join(root, '.remindb/ignore'), { recursive: true })
  writeFileSync(join(root, '.remindb/ignore'), '')
  expect(readIgnoreFile(root)('a.md')).toBeUndefined()
})
