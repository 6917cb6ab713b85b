import { expect, test } from 'vitest'
import type { VersionState } from '../../core/store.ts'
import { createPalette } from '../../util/terminal-color.ts'
import { diffLines, unifiedHunks } from './diff.ts'

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
])('shows from %j to %j as hunks', (before, after, hunks) => {
  expect(unifiedHunks(before, after).join('|')).toBe(hunks)
})

test('gives up comparing texts that have nothing in common', () => {
  const text = (word: string): string => Array.from({ length: 10_000 }, (_, at) => `${word} ${at}`).join('\n')
  const [head, first, ...rest] = unifiedHunks(text('old'), text('new'))
  expect([head, first, rest.at(-1)]).toEqual(['@@ -1,10000 +1,10000 @@', '-old 0', '+new 9999'])
})

test('says what changed besides the text', () => {
  const state: VersionState = {
    parentId: 'A',
    position: 'a0',
    type: 'text',
    format: 'plain',
    label: null,
    text: 'x',
    links: null,
  }
  const lines = (before: Partial<VersionState>, after: Partial<VersionState>): string[] => {
    const row = { snapshotId: 2, nodeKey: 1, nodeId: 'N', op: 'mod' as const }
    const versions = { old: { ...state, ...before }, new: { ...state, ...after } }
    return [...diffLines({ ...row, ...versions }, createPalette(false))].slice(1)
  }
  expect(lines({}, { parentId: null })).toEqual(['moved: under A → a root'])
  expect(lines({}, { position: 'a1' })).toEqual(['moved: under A, to another position'])
  expect(lines({}, { type: 'list', format: 'toon' })).toEqual(['type: text → list', 'format: plain → toon'])
  const links = '[["A",2,"a.md",""],["B",1,"",""]]'
  expect(lines({}, { links })).toEqual(['links: none → [[A; w=2; source=a.md]] [[B]]'])
  expect(lines({}, { label: 'given\x1b' })).toEqual(['label: x → given\\x1b'])
})
