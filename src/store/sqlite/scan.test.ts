import { expect, test } from 'vitest'
import { readAttributes } from './scan.ts'

test.each<[unknown, unknown]>([
  [null, null],
  ['{}', {}],
  ['{"tags":["a"]}', { tags: ['a'] }],
  ['{', undefined],
  ['', undefined],
  [7, undefined],
  [Buffer.from('{}'), undefined],
])('attributes %j are read as %j', (json, expected) => {
  expect(readAttributes(json)).toEqual(expected)
})
