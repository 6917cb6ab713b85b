import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import { TREE_TOOLS } from '../../src/mcp/tools/tree/tools.ts'
import { cleanEnvironment, ensureProgramIsBuilt, PROGRAM } from '../support/cli.ts'
import { RESOURCE_ENTRIES } from '../support/listed.ts'
import { noteFolder } from '../support/mcp.ts'

beforeAll(ensureProgramIsBuilt)

const INSPECTOR = join(
  dirname(fileURLToPath(import.meta.resolve('@modelcontextprotocol/inspector/package.json'))),
  'clients/launcher/build/index.js',
)

/** What the inspector prints of one request. */
function inspect(source: string, ...request: string[]) {
  const server = [process.execPath, PROGRAM, 'serve', '--source', source]
  const run = spawnSync(process.execPath, [INSPECTOR, '--cli', ...server, ...request], {
    encoding: 'utf8',
    env: cleanEnvironment({ HOME: source }),
  })
  if (run.status !== 0) throw new Error(run.stderr)
  return JSON.parse(run.stdout)
}

test('the inspector lists the tools', () => {
  const { tools } = inspect(noteFolder({ 'a.md': '# A\n' }), '--method', 'tools/list')
  expect(tools).toHaveLength(TREE_TOOLS.length)
})

test('the inspector calls a tool', () => {
  const source = noteFolder({ 'a.md': '# Deploys\n\nNever on a Friday.\n' })
  const answer = inspect(
    source,
    '--method',
    'tools/call',
    '--tool-name',
    'MemorySearch',
    '--tool-arg',
    'query=friday',
  )
  expect(answer.content[0].text).toContain('Never on a Friday.')
  expect(answer.structuredContent).toBeUndefined()
})

test('the inspector reads a resource', () => {
  const source = noteFolder({ 'a.md': '# Deploys\n' })
  const { contents } = inspect(source, '--method', 'resources/read', '--uri', 'remindb://overview')
  expect(JSON.parse(contents[0].text)).toMatchObject({ db_path: join(source, '.remindb', 'memory.db') })
})

test('the inspector lists resources, templates and prompts', () => {
  const source = noteFolder({ 'a.md': '# A\n' })
  expect(inspect(source, '--method', 'resources/list').resources).toHaveLength(RESOURCE_ENTRIES.length)
  expect(
    inspect(source, '--method', 'resources/templates/list').resourceTemplates.length,
  ).toBeGreaterThanOrEqual(5)
  expect(inspect(source, '--method', 'prompts/list').prompts).toHaveLength(1)
})
