import { truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openWorkspace } from '../support/engine.ts'

const MIB = 1024 * 1024

test.each([
  ['md', 'markdown', 32],
  ['html', 'html', 16],
  ['yaml', 'yaml', 16],
  ['json', 'json', 16],
  ['jsonl', 'jsonl', 32],
  ['toon', 'toon', 16],
])('a .%s file of 100 MB is reported, and not read', async (extension, format, most) => {
  await using workspace = await openWorkspace()
  const file = join(workspace.folder, `large.${extension}`)
  writeFileSync(file, '')
  truncateSync(file, 100 * MIB)
  const before = process.resourceUsage().maxRSS
  const { skipped } = await workspace.compile({ 'a.md': '# A\n' })
  expect(skipped).toMatchObject([
    { reason: `is larger than any ${format} file that is read (100.0 MB > ${most}.0 MB)` },
  ])
  // In kilobytes: the file itself would be more.
  expect(process.resourceUsage().maxRSS - before).toBeLessThan(90 * 1024)
})

const cases: [what: string, file: string, text: string, reason: RegExp][] = [
  [
    'Markdown of too many blocks',
    'a.md',
    'a\n\n'.repeat(510_000),
    /^has about 5\d{5} blocks .*; at most 500000 are read/,
  ],
  [
    'HTML of too many tags',
    'a.html',
    '<i>a</i>'.repeat(1_010_000),
    /^has 2020000 tags; at most 2000000 are read/,
  ],
  ['JSON of too many values', 'a.json', `[${'[1],'.repeat(1_010_000)}1]`, /^has more than 2000000 values/],
  ['JSON lines of too many values', 'a.jsonl', '[1,1]\n'.repeat(1_010_000), /^has more than 2000000 values/],
]
test.each(cases)('%s is reported, and the rest is compiled', async (_what, file, text, reason) => {
  await using workspace = await openWorkspace()
  const { skipped, added } = await workspace.compile({ [file]: text, 'b.md': '# B\n' })
  expect(skipped).toMatchObject([{ path: file, reason: expect.stringMatching(reason) }])
  expect(added).toBe(1)
})
