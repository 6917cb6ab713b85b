import { describe, expect, test } from 'vitest'
import type { PlacedVersion } from '../history/version-places.ts'
import { bisectLines } from './bisect-text.ts'
import type { BisectReport, Break, Cause, LostItem } from './model.ts'

const CHANGE: PlacedVersion = {
  snapshotId: 7,
  nodeKey: 3,
  nodeId: '25FHWVYdid1',
  op: 'add',
  old: null,
  new: {
    parentId: null,
    position: 'a',
    type: 'text',
    format: 'plain',
    label: null,
    text: 'Kim\u001b[2J left.',
    links: null,
  },
  file: 'ops.md',
  heading: '',
}

function lostTo(cause: Cause, others: Partial<LostItem> = {}): LostItem {
  return { question: 'on call', line: 2, kind: 'word', value: 'Kim', place: 1, cause, ...others }
}

function breakOf(lost: LostItem[], others: Partial<Break> = {}): Break {
  const snapshot = {
    ...{ id: 7, parentId: 6, cursorHash: '', root: '', createdAt: Date.UTC(2026, 0, 31, 12) },
    ...{ author: 'helper', operation: 'write', message: 'write:25FHWVYdid1' },
  }
  return { snapshot, before: 6, lost, repeated: false, ...others }
}

function linesOf(report: Partial<BisectReport>): string[] {
  return bisectLines({ snapshot: 9, passed: false, breaks: [], unexplained: [], searches: 1, ...report })
}

const FIRST = '#7 2026-01-31 12:00:00Z write by helper: write:25FHWVYdid1'
const LOST = '  lost: words "Kim" of "on call", found at snapshot 6'

describe('the report of a bisection', () => {
  test('shows what comes before an answer', () => {
    expect(linesOf({ breaks: [breakOf([lostTo({ kind: 'outranked', changes: [CHANGE] })])] })).toEqual([
      FIRST,
      LOST,
      '  the answer is unchanged; this comes before it now:',
      '[add] 25FHWVYdid1 ops.md: Kim [2J left.',
      '@@ -0,0 +1 @@',
      '+Kim\\x1b[2J left.',
      '  undo the snapshot: remindb revert 7',
    ])
  })

  test('names both paths of a renamed document', () => {
    const cause: Cause = { kind: 'renamed', changes: [], renamed: { from: 'ops.md', to: 'docs/ops.md' } }
    expect(linesOf({ breaks: [breakOf([lostTo(cause, { kind: 'path', value: 'ops.md' })])] })).toEqual([
      FIRST,
      '  lost: file ops.md of "on call", found at snapshot 6',
      '  its document was renamed: ops.md is now docs/ops.md',
      '  if that is right, change the path in the questions',
    ])
  })

  test('leads to the diff when no change explains a loss', () => {
    const lines = linesOf({ breaks: [breakOf([lostTo({ kind: 'unclear', changes: [] })])] })
    expect(lines.at(-1)).toBe('  see what changed: remindb diff 6 7')
  })

  test('shows a change once, and restores a whole document by its name', () => {
    const cause: Cause = {
      kind: 'removed',
      changes: [{ ...CHANGE, op: 'rem', old: CHANGE.new, new: null }],
      document: "kim's notes.md",
    }
    const lines = linesOf({ breaks: [breakOf([lostTo(cause), lostTo(cause, { value: 'left' })])] })
    expect(lines.filter((line) => line.startsWith('[rem]'))).toHaveLength(1)
    expect(lines.slice(-2)).toEqual([
      `  bring it back: remindb restore 'kim'\\''s notes.md' --snapshot 6`,
      '  undo the snapshot: remindb revert 7',
    ])
  })

  test('tells of losses before that one, and of what never was found', () => {
    const repeated = breakOf([lostTo({ kind: 'unclear', changes: [] })], { repeated: true })
    const never = { question: 'on call', line: 2, kind: 'node', value: '25FHWVYdid1' } as const
    const unexplained = [
      { ...never, tried: 'all' },
      { ...never, tried: 'many' },
      { ...never, tried: 'given' },
      { ...never, tried: 'head' },
    ] as const
    expect(linesOf({ breaks: [repeated], unexplained: [...unexplained] }).slice(3)).toEqual([
      '  it was found and lost before that, too; --good M looks between M and now',
      '  see what changed: remindb diff 6 7',
      '',
      'never found: node 25FHWVYdid1 of "on call", at no snapshot',
      'never found: node 25FHWVYdid1 of "on call", at none of the snapshots that were tried; name one at which it was with --good',
      'not found: node 25FHWVYdid1 of "on call", nor at the moment of --good; name another one, or none',
      'cooled: node 25FHWVYdid1 of "on call", is found when all nodes are equally warm; read or pin its node, or raise k',
    ])
  })
})
