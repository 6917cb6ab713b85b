import { expect, test } from 'vitest'
import type { ScannedFileFacts } from '../port/scan.ts'
import { isSound } from './files.ts'

const ROW: ScannedFileFacts = {
  ...{
    root: '.',
    path: 'a/b.md',
    sizeBytes: 1,
    inode: '1',
    parser: 'p',
    modifiedAt: 1,
    changedAt: 1,
    scannedAt: 1,
  },
  ...{ digest: '0'.repeat(32), failure: null },
}

test.each<[Partial<ScannedFileFacts>, boolean]>([
  [{}, true],
  [{ path: 'a..b/..c.md' }, true],
  [{ sizeBytes: 0 }, true],
  [{ failure: { line: 3, reason: 'unclosed' } }, true],
  [{ failure: { line: null, reason: 'unreadable' } }, true],
  [{ root: '' }, false],
  [{ path: '' }, false],
  [{ path: '/a.md' }, false],
  [{ path: '../a.md' }, false],
  [{ path: 'a/../b.md' }, false],
  [{ path: 'a/..' }, false],
  [{ sizeBytes: -1 }, false],
  [{ sizeBytes: 'large' }, false],
  [{ modifiedAt: 0.5 }, false],
  [{ changedAt: null }, false],
  [{ scannedAt: 1e300 }, false],
  [{ digest: null }, false],
  [{ digest: '00' }, false],
  [{ failure: { line: 3, reason: null } }, false],
  [{ failure: { line: null, reason: '' } }, false],
  [{ path: 'erased.md' }, false],
])('the file facts %j are plausible: %s', (row, expected) => {
  expect(isSound({ ...ROW, ...row }, new Set([JSON.stringify(['.', 'erased.md'])]))).toBe(expected)
})
