import fc from 'fast-check'
import { RE2JS } from 're2js'
import { expect, test } from 'vitest'
import { parsePlain } from './plain-pattern.ts'

test.each([
  ['BADGE-[0-9]{6}', 12, 4],
  ['acme_[A-Za-z0-9]{32}', 37, 9],
  ['tok_live_[0-9a-zA-Z]{24,64}', 33, 10],
  ['(?i)customer[-_ ]?id[:= ]{1,3}[0-9]{6,10}', 17, 5],
  ['10\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}', 8, 6],
  ['[\\w-]{8}', 8, 8],
  ['acme_[A-Za-z0-9]+', 6, 3],
  ['acme_[A-Za-z0-9]{32,}', 37, 9],
  ['aaaab', 5, 5],
  ['abab', 4, 3],
])('%s matches at least %d characters and costs %d steps', (pattern, minLength, cost) => {
  expect(parsePlain(pattern)).toMatchObject({ minLength, cost })
})

test.each([
  'a+b',
  'a*b',
  'a{3,}b',
  'a{2}?',
  '(a)',
  'a|b',
  '[^a]',
  '.',
  'é',
  '\\bx',
  '^x',
  '[[:alpha:]]',
  '[z-a]',
  'a?a',
  'a?b?a',
  '(?i)A?a',
  '[a-z]{0,30}m',
  '',
])('%s is not plain', (pattern) => {
  expect(parsePlain(pattern)).toBeUndefined()
})

const item = fc.tuple(
  fc.constantFrom('a', 'b', 'A', '-', '\\.', '[ab]', '[a-c-]', '[\\d.]', '\\w', '\\d', '[B-]', '[\\]a]'),
  fc.constantFrom('', '?', '{2}', '{1,3}', '{0,2}'),
)
const pattern = fc
  .tuple(
    fc.constantFrom('', '(?i)'),
    fc.array(item, { minLength: 1, maxLength: 5 }),
    fc.constantFrom('', 'c+', '[ab]*', '\\d{2,}'),
  )
  .map(([flag, items, last]) => flag + items.map(([chars, times]) => chars + times).join('') + last)
const text = fc.string({
  unit: fc.constantFrom('a', 'b', 'c', 'A', 'B', '-', '.', '1', ']', ' ', 'é'),
  maxLength: 30,
})

test('a plain pattern matches the same as RE2', () => {
  fc.assert(
    fc.property(pattern, text, (given, where) => {
      const plain = parsePlain(given)
      fc.pre(plain !== undefined && plain.minLength > 0)
      const matcher = RE2JS.compile(given).matcher(where)
      const expected: [number, string][] = []
      while (matcher.find()) expected.push([matcher.start(), matcher.group() ?? ''])
      const found = [...where.matchAll((plain as { expression: RegExp }).expression)]
      expect(found.map((match) => [match.index, match[0]])).toEqual(expected)
    }),
    { numRuns: 2000 },
  )
})
