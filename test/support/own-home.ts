// Runs before every test file: the files of the person at this machine decide nothing, and tests leave none there.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

const HOME = mkdtempSync(join(tmpdir(), 'remindb-home-'))
const folders = {
  XDG_CONFIG_HOME: join(HOME, '.config'),
  // What Node compiled of the program, and nothing else: all test files have the same.
  XDG_CACHE_HOME: process.env.REMINDB_TEST_CACHE ?? join(HOME, '.cache'),
  XDG_DATA_HOME: join(HOME, '.local', 'share'),
  XDG_STATE_HOME: join(HOME, '.local', 'state'),
}
for (const folder of Object.values(folders)) mkdirSync(folder, { recursive: true, mode: 0o700 })
Object.assign(process.env, { HOME, ...folders })

afterAll(() => rmSync(HOME, { recursive: true, force: true }))
