import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { toolsOf } from '../../src/mcp/toolsets.ts'
import { ensureProgramIsBuilt, remindb } from '../support/cli.ts'
import { type Connected, connect, noteFolder } from '../support/mcp.ts'

beforeAll(ensureProgramIsBuilt)

type Access = 'reads' | 'writes' | 'removes'
type Args = Record<string, unknown>
/** A call that each tool accepts, and what it does. */
type Matrix = readonly (readonly [tool: string, access: Access, args: Args])[]

/** What `prepare` stored. */
interface Prepared {
  folder: string
  file: string
  node: string
  record: string
}

const matrix = ({ folder, node, record }: Omit<Prepared, 'file'>): Matrix => [
  ['MemoryTree', 'reads', {}],
  ['MemorySearch', 'reads', { query: 'friday' }],
  ['MemoryFetch', 'reads', { id: node }],
  ['MemoryFetchBatch', 'reads', { ids: [node] }],
  ['MemoryDelta', 'reads', { since_snapshot: 1 }],
  ['MemoryDiff', 'reads', { from_snapshot_id: 1, to_snapshot_id: 2 }],
  ['MemoryHistory', 'reads', { id: node }],
  ['MemoryRelated', 'reads', { id: node }],
  ['MemoryStats', 'reads', {}],
  ['MemoryWrite', 'writes', { payload: 'Never on a Monday.' }],
  ['MemorySummarize', 'writes', { id: node, summary: 'Short.' }],
  ['MemoryCompile', 'writes', { path: folder }],
  ['MemoryRelate', 'writes', { source_id: node, target_label: 'Elsewhere' }],
  ['MemoryPin', 'writes', { id: node }],
  ['MemoryUnpin', 'writes', { id: node }],
  ['MemoryRollback', 'writes', { snapshot_id: 1 }],
  ['MemoryRollback', 'removes', { snapshot_id: 1, drop_after: true }],
  ['MemoryRestore', 'writes', { id: node, snapshot: 1 }],
  ['MemoryRestore', 'removes', { id: node, snapshot: 1, force: true }],
  ['MemoryForget', 'removes', { id: node, mode: 'cascade' }],
  ['query_memories', 'reads', { type: 'core' }],
  ['get_memory_stats', 'reads', {}],
  ['store_memory', 'writes', { type: 'core', content: 'Likes tea.' }],
  ['update_memory', 'writes', { id: record, content: 'Likes coffee.' }],
  ['delete_memory', 'removes', { id: record }],
  ['delete_memory', 'removes', { id: record, permanent: true }],
  ['recall', 'reads', { key: 'plan' }],
  ['search_memories', 'reads', { query: 'ship' }],
  ['list_memories', 'reads', {}],
  ['list_tags', 'reads', {}],
  ['memory_history', 'reads', { key: 'plan' }],
  ['relate_memories', 'reads', { key: 'plan' }],
  ['summarize_context', 'reads', { topic: 'work' }],
  ['pack_context', 'reads', { topic: 'ship' }],
  ['ping', 'reads', {}],
  ['remember', 'writes', { key: 'plan', value: 'Wait.' }],
  ['remember_if_absent', 'writes', { key: 'other', value: 'Wait.' }],
  ['remember_blob', 'writes', { key: 'image', data: 'AAEC', content_type: 'image/png' }],
  ['restore_memory', 'writes', { key: 'plan', version_timestamp: '2020-01-01T00:00:00Z' }],
  ['forget', 'removes', { key: 'plan' }],
  ['forget_all', 'removes', { tag: 'work' }],
  ['redact_memory', 'removes', { key: 'plan' }],
  ['memory', 'reads', { command: 'read', path: '/today' }],
  ['memory', 'reads', { command: 'list', path: '/' }],
  ['memory', 'writes', { command: 'append', path: '/today', content: 'more' }],
  ['memory', 'writes', { command: 'update', path: '/today', oldContent: 'first', content: 'second' }],
  ['memory', 'removes', { command: 'delete', path: '/today' }],
]

async function prepare(): Promise<Prepared> {
  const folder = noteFolder({ 'a.md': '# Deploys\n\nNever on a Friday.\n' })
  const { call, json, client, close } = await connect({ args: ['--source', folder, '--tools', 'all'] })
  await call('MemoryWrite', { payload: 'Only after lunch.' })
  await call('remember', { key: 'plan', value: 'Ship it.', tags: ['work'] })
  await call('memory', { command: 'append', path: '/today', content: 'first' })
  const { id } = await json('store_memory', { type: 'core', content: 'Likes milk.' })
  const node = /\(id=(\w+)/.exec(await call('MemorySearch', { query: 'friday' }))?.[1] ?? ''
  await close()
  await client.close()
  return { folder, file: join(folder, '.remindb', 'memory.db'), node, record: String(id) }
}

interface Answer {
  isError?: boolean
  text: string
}

async function ask({ client }: Connected, name: string, args: Args): Promise<Answer> {
  const { content, isError } = await client.callTool({ name, arguments: args })
  return { text: (content as { text: string }[])[0]?.text ?? '', ...(isError === true && { isError }) }
}

const stored = (file: string): Buffer => readFileSync(file)
const namesIn = async ({ client }: Connected): Promise<string[]> =>
  (await client.listTools()).tools.map(({ name }) => name)

test('the matrix has every tool', () => {
  const names = new Set(matrix({ folder: '', node: '', record: '' }).map(([name]) => name))
  expect([...names].sort()).toEqual(
    toolsOf(['all'])
      .map(({ name }) => name)
      .sort(),
  )
})

describe('serve --read-only', () => {
  const READ_ONLY = /not permitted: this server is read-only \(`serve --read-only`\)/

  test('executes what reads, refuses everything else, and leaves every byte of the database as it is', async () => {
    const prepared = await prepare()
    const before = stored(prepared.file)
    const connected = await connect({ args: ['--source', prepared.folder, '--tools', 'all', '--read-only'] })
    for (const [name, access, args] of matrix(prepared)) {
      const answer = await ask(connected, name, args)
      const what = `${name} ${JSON.stringify(args)}: ${answer.text}`
      if (access === 'reads') {
        expect(answer.isError, what).toBeUndefined()
        expect(answer.text, what).not.toMatch(READ_ONLY)
      } else expect(answer.text, what).toMatch(READ_ONLY)
    }
    await connected.close()
    expect(stored(prepared.file).equals(before)).toBe(true)
    const wal = `${prepared.file}-wal`
    expect(existsSync(wal) ? readFileSync(wal).length : 0).toBe(0)
  })

  test('offers only what reads, in the tools, the prompts and the instructions', async () => {
    const prepared = await prepare()
    const connected = await connect({ args: ['--source', prepared.folder, '--tools', 'all', '--read-only'] })
    const reading = matrix(prepared).filter(([, access]) => access === 'reads')
    expect(new Set(await namesIn(connected))).toEqual(new Set(reading.map(([name]) => name)))
    const { tools } = await connected.client.listTools()
    expect(tools.filter(({ annotations }) => annotations?.readOnlyHint !== true)).toEqual([])
    expect(tools.find(({ name }) => name === 'memory')?.inputSchema.properties).toEqual({
      path: expect.anything(),
      command: { type: 'string', enum: ['read', 'list'] },
      offset: expect.anything(),
      limit: expect.anything(),
      as_of: expect.anything(),
    })
    const { prompts } = await connected.client.listPrompts()
    expect(prompts.map(({ name }) => name)).toEqual(['recall-context', 'what-do-you-know-about'])
    const instructions = connected.client.getInstructions() ?? ''
    expect(instructions).toContain('This memory is read-only')
    expect(instructions).not.toMatch(/MemoryWrite|MemoryPin|store_memory|remember|append|gets warmer/)
  })

  test('does not follow its source', async () => {
    const { folder } = await prepare()
    const { call, read } = await connect({
      args: ['--source', folder, '--read-only'],
      env: { REMINDB_RESCAN_INTERVAL: '50ms', REMINDB_RESCAN_SETTLE: '0' },
    })
    writeFileSync(join(folder, 'b.md'), '# Hidden\n\nZebra.\n')
    expect(await call('MemorySearch', { query: 'friday' })).toContain('Never on a Friday.')
    expect(await call('MemorySearch', { query: 'zebra' })).not.toContain('Zebra.')
    expect(await read('remindb://rescan')).toMatchObject({ interval_s: 0, last_meta: { run_at: 0 } })
  })

  test('refuses to start where there is no memory, and creates nothing', () => {
    const cwd = noteFolder({ 'a.md': '# A\n' })
    const { code, stderr } = remindb(['serve', '--source', '.', '--read-only'], { cwd })
    expect(code).toBe(1)
    expect(stderr).toMatch(
      /there is no memory at .*memory\.db, and --read-only creates none; run `remindb compile/,
    )
    expect(existsSync(join(cwd, '.remindb'))).toBe(false)
  })

  test('can be set in the environment, and not by a folder', async () => {
    const { folder, node } = await prepare()
    const setting = { env: { REMINDB_SERVER_READ_ONLY: 'true' } }
    const forced = await connect({ args: ['--source', folder], ...setting })
    expect(await forced.call('MemoryPin', { id: node })).toMatch(READ_ONLY)
    await forced.close()
    writeFileSync(join(folder, '.remindb', 'config.json'), '{"server": {"read_only": true}}')
    const free = await connect({ args: ['--source', folder] })
    expect(await free.call('MemoryPin', { id: node })).not.toMatch(READ_ONLY)
  })
})

describe('serve --no-destructive', () => {
  const REFUSED = /not permitted: this server removes nothing \(`serve --no-destructive`\)/

  test('executes what reads and writes, and refuses what removes', async () => {
    const prepared = await prepare()
    const connected = await connect({
      args: ['--source', prepared.folder, '--tools', 'all', '--no-destructive'],
    })
    for (const [name, access, args] of matrix(prepared)) {
      const answer = await ask(connected, name, args)
      const what = `${name} ${JSON.stringify(args)}: ${answer.text}`
      if (access === 'removes') expect(answer.text, what).toMatch(REFUSED)
      else expect(answer.text, what).not.toMatch(REFUSED)
    }
    expect(await connected.call('recall', { key: 'plan' })).toContain('Wait.')
  })

  test('does not offer what removes, neither as a tool nor as an argument', async () => {
    const prepared = await prepare()
    const connected = await connect({
      args: ['--source', prepared.folder, '--tools', 'all', '--no-destructive'],
    })
    const removing = ['MemoryForget', 'delete_memory', 'forget', 'forget_all', 'redact_memory']
    const names = await namesIn(connected)
    expect(names.filter((name) => removing.includes(name))).toEqual([])
    expect(names).toContain('MemoryWrite')
    const { tools } = await connected.client.listTools()
    const propertiesOf = (tool: string) =>
      Object.keys(tools.find(({ name }) => name === tool)?.inputSchema.properties ?? {})
    expect(propertiesOf('MemoryRollback')).toEqual(['snapshot_id'])
    expect(propertiesOf('MemoryRestore')).toEqual(['id', 'snapshot', 'revert', 'checkpoint'])
    expect(tools.find(({ name }) => name === 'memory')?.inputSchema.properties).toMatchObject({
      command: { enum: ['read', 'list', 'append', 'update'] },
    })
    const { prompts } = await connected.client.listPrompts()
    expect(prompts.map(({ name }) => name)).not.toContain('forget-older-than')
    const instructions = connected.client.getInstructions() ?? ''
    expect(instructions).toContain('Nothing can be removed here')
    expect(instructions).not.toContain('delete_memory')
  })

  test('answers a refusal in the shape of each door', async () => {
    const { folder, record } = await prepare()
    const connected = await connect({ args: ['--source', folder, '--tools', 'all', '--no-destructive'] })
    expect(await ask(connected, 'MemoryForget', { id: 'x' })).toMatchObject({ isError: true })
    const refused = await ask(connected, 'delete_memory', { id: record })
    expect(JSON.parse(refused.text)).toMatchObject({ error: { code: 'PERMISSION_ERROR' } })
    const file = await ask(connected, 'memory', { command: 'delete', path: 'today' })
    expect(JSON.parse(file.text)).toMatchObject({
      ...{ command: 'delete', path: '/today', ok: false },
      error: { code: 'EINVAL', message: expect.stringMatching(REFUSED) },
    })
  })
})
