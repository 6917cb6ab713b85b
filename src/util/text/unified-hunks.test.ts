import { expect, test } from 'vitest'
import { unifiedHunks } from './unified-hunks.ts'

test.each([
  ['alpha\nbeta\ngamma', 'alpha\nbeta CHANGED\ngamma', '@@ -1,3 +1,3 @@| alpha|-beta|+beta CHANGED| gamma'],
  ['', 'new\ntext', '@@ -0,0 +1,2 @@|+new|+text'],
  ['old', '', '@@ -1 +0,0 @@|-old'],
  ['same', 'same', ''],
  ['a', 'a\n', '@@ -1 +1 @@|-a|\\ No newline at end of file|+a'],
  [
    '1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12',
    'one\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\ntwelve',
    '@@ -1,4 +1,4 @@|-1|+one| 2| 3| 4|@@ -9,4 +9,4 @@| 9| 10| 11|-12|+twelve',
  ],
])('unifiedHunks from %j to %j', (before, after, hunks) => {
  expect(unifiedHunks(before, after).join('|')).toBe(hunks)
})

test('unifiedHunks stops comparing texts that have nothing in common', () => {
  const text = (word: string): string => Array.from({ length: 10_000 }, (_, at) => `${word} ${at}`).join('\n')
  const [head, first, ...rest] = unifiedHunks(text('old'), text('new'))
  expect([head, first, rest.at(-1)]).toEqual(['@@ -1,10000 +1,10000 @@', '-old 0', '+new 9999'])
})
