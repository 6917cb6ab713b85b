import { expect, test } from 'vitest'
import { diffAndRead, grepAndRead, listAndRead } from './naive.ts'

const FILES = [
  { path: 'a.md', text: '# Alpha\n\nOne retry.\n' },
  { path: 'b/c.md', text: 'Nothing here.\n' },
  { path: 'd.md', text: 'Policy\nand\nRETRY' },
]

test('lists every file and reads it', () => {
  expect(listAndRead(FILES)).toEqual(['./a.md\n./b/c.md\n./d.md\n', ...FILES.map(({ text }) => text)])
})

test('shows lines with any of the words, ignoring case, and reads the files that contain one', () => {
  expect(grepAndRead(FILES, 'retry  policy')).toEqual([
    'a.md:3:One retry.\nd.md:1:Policy\nd.md:3:RETRY\n',
    '# Alpha\n\nOne retry.\n',
    'Policy\nand\nRETRY',
  ])
  expect(grepAndRead(FILES, 'absent')).toEqual([''])
  expect(grepAndRead(FILES, ' ')).toEqual([''])
})

test('shows the changes and reads the file in its new state', () => {
  const [patch, now] = diffAndRead({ path: 'a.md', text: 'one\ntwo\n' }, 'one\ntwo\nthree\n')
  expect(patch).toBe('--- a/a.md\n+++ b/a.md\n@@ -1,2 +1,3 @@\n one\n two\n+three\n')
  expect(now).toBe('one\ntwo\nthree\n')
})
