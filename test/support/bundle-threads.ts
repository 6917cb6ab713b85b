import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundle } from '../../scripts/bundle.mjs'

const ROOT = join(import.meta.dirname, '../..')
const THREADS = {
  'store-thread': 'src/store/sqlite/store-thread.ts',
  'parse-thread': 'src/ingest/parse-thread.ts',
  'prepare-thread': 'src/runtime/memory/prepare-thread.ts',
}

/**
 * Makes one file of each thread, once for all tests: every memory that a test opens starts a thread, and one that loads a
 * hundred sources takes three times as long. In `node_modules`, for what is not in the bundle is found from there.
 */
export async function setup(): Promise<() => void> {
  const parent = join(ROOT, 'node_modules', '.cache')
  mkdirSync(parent, { recursive: true })
  const folder = mkdtempSync(join(parent, 'remindb-threads-'))
  await Promise.all(
    Object.entries(THREADS).map(async ([name, entry]) => {
      const about = { root: ROOT, name: `${name}.js`, entry, version: '0.0.0' }
      const { files } = await bundle({ ...about, isSplit: false, isMinified: false })
      for (const { name, code } of files) writeFileSync(join(folder, name), code)
    }),
  )
  process.env.REMINDB_TEST_THREADS = folder
  process.env.REMINDB_TEST_CACHE = join(folder, 'cache')
  return () => rmSync(folder, { recursive: true, force: true })
}
