import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type CalledTool, passedByCall } from '../bench/path/passed-by-call.ts'

const ROOT = join(import.meta.dirname, '..')
const PAGE = readFileSync(join(ROOT, 'docs/explanation/architecture.md'), 'utf8')

function filesUnder(heading: string): string[] {
  const section = PAGE.split(/^## /m).find((one) => one.startsWith(heading)) ?? ''
  return [...section.matchAll(/`([\w/-]+\.ts)`/g)].map(([, file = '']) => file)
}

test.each([
  ['A write, file by file', 'MemoryWrite', 20],
  ['A search, file by file', 'MemorySearch', 12],
] as const)(
  '%s: a call runs through every file that is named',
  { timeout: 60_000 },
  async (heading, tool, least) => {
    const named = filesUnder(heading)
    expect(named.length).toBeGreaterThanOrEqual(least)
    const passed = (await passedByCall(tool as CalledTool, join(ROOT, 'src'))).map(({ file }) => file)
    expect(named.filter((file) => !passed.includes(file))).toEqual([])
  },
)

test('every file that the page names exists', () => {
  const named = [...PAGE.matchAll(/`([\w/-]+\.ts)`/g)].map(([, file = '']) => file)
  expect(named.length).toBeGreaterThan(50)
  expect(named.filter((file) => !existsSync(join(ROOT, 'src', file)))).toEqual([])
})
