import { expect, test } from 'vitest'
import type { VersionState } from '../port/store.ts'
import { diffLines } from './diff-text.ts'

test('diffLines shows what changed besides the text', () => {
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
    const row = { snapshotId: 2, nodeKey: 1, nodeId: 'N', op: 'mod' as const, file: 'a.md', heading: '' }
    const versions = { old: { ...state, ...before }, new: { ...state, ...after } }
    return [...diffLines({ ...row, ...versions })].slice(1)
  }
  expect(lines({}, { parentId: null })).toEqual(['moved: under A → a root'])
  expect(lines({}, { position: 'a1' })).toEqual(['moved: under A, to another position'])
  expect(lines({}, { type: 'list', format: 'toon' })).toEqual(['type: text → list', 'format: plain → toon'])
  const links = '[["A",2,"a.md",""],["B",1,"",""]]'
  expect(lines({}, { links })).toEqual(['links: none → [[A; w=2; source=a.md]] [[B]]'])
  expect(lines({}, { label: 'given\x1b' })).toEqual(['label: x → given\\x1b'])
})
