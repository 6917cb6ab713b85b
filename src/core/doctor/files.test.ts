import { expect, test } from 'vitest'
import type { RawFileFacts } from '../port/raw-rows.ts'
import { isSound } from './files.ts'

const ROW: RawFileFacts = {
  ...{ root: '.', path: 'a/b.md', size: 1, modifiedAt: 1, changedAt: 1, scannedAt: 1 },
  ...{ digest: '0'.repeat(32), line: null, reason: null },
}

test.each<[Partial<RawFileFacts>, boolean]>([
  [{}, true],
  [{ path: 'a..b/..c.md' }, true],
  [{ size: 0 }, true],
  [{ line: 3, reason: 'unclosed' }, true],
  [{ reason: 'unreadable' }, true],
  [{ root: '' }, false],
  [{ path: '' }, false],
  [{ path: '/a.md' }, false],
  [{ path: '../a.md' }, false],
  [{ path: 'a/../b.md' }, false],
  [{ path: 'a/..' }, false],
  [{ size: -1 }, false],
  [{ size: 'large' }, false],
  [{ modifiedAt: 0.5 }, false],
  [{ changedAt: null }, false],
  [{ scannedAt: 1e300 }, false],
  [{ digest: null }, false],
  [{ digest: '00' }, false],
  [{ line: 3 }, false],
  [{ reason: '' }, false],
  [{ path: 'erased.md' }, false],
])('of a file %j makes sense: %s', (row, expected) => {
  expect(isSound({ ...ROW, ...row }, new Set([JSON.stringify(['.', 'erased.md'])]))).toBe(expected)
})
