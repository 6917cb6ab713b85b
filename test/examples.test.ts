import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'

const EXAMPLES = join(dirname(dirname(fileURLToPath(import.meta.url))), 'examples')
const folder = mkdtempSync(join(tmpdir(), 'remindb-examples-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What each example is there to show. */
const SHOWS: Record<string, string[]> = {
  'compile-and-read.ts': [
    '1 file, 5 nodes\n',
    '  text: We deploy on weekdays. (12 tokens)\n',
    '    code: Code (sh): make rollback (4 tokens)\n',
    '\nWe deploy on weekdays. Fridays only before noon.\n',
  ],
  'edit-that-survives.ts': [
    'conflicts: 0\n- Five people in two cities.\n- Stand-up is at 9:30 since May.\n- The team prefers short messages.\n',
    "conflict: team.md changed under the agent's write of the line\n",
    '- Stand-up is at 10:00.\n- The team prefers short messages.\n',
  ],
  'erase.ts': [
    'after editing the file, still in the database: true\n',
    'erased 2 nodes, overwritten: true, backups: 0\n',
    'after erasing, still in the database: false\n',
    'access.md was erased from memory',
  ],
  'undo.ts': [
    'summarized: 13 → 6 tokens\n',
    '- The API allows 100 calls a minute, 1,000 an hour.\n+ The API has no limits.\n',
    'rolled-back to snapshot 1\n3: The API allows 100 calls a minute',
  ],
}

test('every example is known here', () => {
  // The page is opened in test/browser.test.ts.
  expect(readdirSync(EXAMPLES).sort()).toEqual(['browser', ...Object.keys(SHOWS)].sort())
})

test.each(Object.entries(SHOWS))('%s shows what it promises and leaves nothing behind', (name, shown) => {
  const env = { ...process.env, TMPDIR: folder, TEMP: folder, TMP: folder }
  const run = spawnSync(process.execPath, [join(EXAMPLES, name)], { cwd: folder, env, encoding: 'utf8' })
  expect({ status: run.status, stderr: run.stderr }).toEqual({ status: 0, stderr: '' })
  for (const part of shown) expect(run.stdout).toContain(part)
  expect(readdirSync(folder)).toEqual([])
})
