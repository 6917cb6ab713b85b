import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import { ensureProgramIsBuilt } from './support/cli.ts'

const LIBRARY = fileURLToPath(new URL('../dist/index.js', import.meta.url))

beforeAll(ensureProgramIsBuilt)

test('an error of the built library that nobody catches is short and has its name', () => {
  const script = `import { openMemory } from ${JSON.stringify(LIBRARY)}; await openMemory({ db: '' })`
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
  })
  expect(status).toBe(1)
  expect(stderr).toMatch(/^MemoryError: openMemory needs { db }/m)
  expect(stderr.length).toBeLessThan(2000)
})
