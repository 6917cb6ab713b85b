import { expect, test } from 'vitest'
import { maskDoctor, maskPaths, maskSnapshots } from './mask.ts'

const MASK = 'space:acme'

test.each([
  ['there is no memory at /srv/spaces/1/memory.db, and …', `there is no memory at ${MASK}, and …`],
  ['/srv/spaces is a symbolic link; "/srv/spaces/a" too', `${MASK} is a symbolic link; "${MASK}" too`],
  ['the folder /home/ada/my notes/x (a file)', `the folder ${MASK} (a file)`],
  ['invalid path: /a is a file', 'invalid path: /a is a file'],
  ['', ''],
])('in %j no known folder is left', (text, expected) => {
  expect(maskPaths(text, ['/srv/spaces', '/home/ada/my notes', '/srv', '/', ''], MASK)).toBe(expected)
})

test('a compile is not described by the path that was compiled', () => {
  const row = { id: 1, parent_id: null, created_at: 1, is_head: true }
  const snapshots = [
    { ...row, message: 'compile:/home/ada/notes', compile_root: '/home/ada/notes' },
    { ...row, message: 'write:abc', compile_root: '' },
  ]
  expect(maskSnapshots({ snapshots, next_cursor: null }, MASK)).toEqual({
    snapshots: [
      { ...row, message: `compile:${MASK}`, compile_root: MASK },
      { ...row, message: 'write:abc', compile_root: '' },
    ],
    next_cursor: null,
  })
})

test('doctor says how many compile roots are gone, and not where they were', () => {
  const detail = '2/3 compile roots no longer exist: [/home/ada/a, /home/ada/b]; 1 not named on this machine'
  const checks = [
    { name: 'stale_compile_root', status: 'warn' as const, detail },
    { name: 'schema_version', status: 'pass' as const, detail: '2/2 migrations applied' },
  ]
  expect(maskDoctor({ status: 'warn', checks }).checks.map((check) => check.detail)).toEqual([
    '2/3 compile roots no longer exist; 1 not named on this machine',
    '2/2 migrations applied',
  ])
})
