import { beforeAll, describe, expect, test } from 'vitest'
import { openMemory } from '../../src/index.ts'
import { ensureProgramIsBuilt, remindb } from '../support/cli.ts'
import { connect, ERAS, noteFolder, textOf, userSettings } from '../support/mcp.ts'

beforeAll(ensureProgramIsBuilt)

const FILES = {
  memories: [{ id: 'shared' }, { id: 'own', scope: 'perThread' }],
  tools: [
    { name: 'memory_write', memory: 'shared', title: 'Mem Write' },
    { name: 'memory_readonly', memory: 'shared', title: 'Mem Read', commands: ['read', 'list'] },
    { name: 'scratch', memory: 'own' },
  ],
}
describe.each(ERAS)('files over MCP %s', (revision) => {
  test('are read and written by the tool of the page, and answered in its shape', async () => {
    const cwd = noteFolder({ 'a.md': '# A\n' })
    const { client } = await connect({ args: ['--db', '.', '--tools', 'files'], revision, cwd })
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(['memory'])
    expect(client.getInstructions()).toContain('Files by path (memory): list and read')
    expect(client.getInstructions()).not.toContain('MemorySearch')
    const call = (args: Record<string, unknown>) => client.callTool({ name: 'memory', arguments: args })
    const ok = '{"command":"append","path":"/notes/today","ok":true,"result":{"status":"ok"}}'
    const appended = await call({ path: '/notes/today', command: 'append', content: 'hello' })
    expect(appended.content).toEqual([{ type: 'text', text: ok }])
    for (const [args, code] of [
      [{ path: '/none', command: 'read' }, 'ENOENT'],
      [{ path: '/notes', command: 'read' }, 'EISDIR'],
      [{ path: '/x', command: 'append' }, 'EINVAL'],
      [{ path: '/x', command: 'view' }, 'EINVAL'],
      [{ path: 7 }, 'EINVAL'],
    ] as const) {
      const answer = await call(args)
      expect(answer.isError ?? false).toBe(code === 'EINVAL')
      expect(JSON.parse(textOf(answer))).toMatchObject({ ok: false, error: { code } })
    }
  })

  test('are those of a thread, of all threads, or only read, as the settings say', async () => {
    const env = userSettings({ files: FILES })
    const { client } = await connect({ args: ['--db', noteFolder({}), '--tools', 'files'], revision, env })
    const { tools } = await client.listTools()
    expect(tools.map(({ name, title, annotations }) => [name, title, annotations?.readOnlyHint])).toEqual([
      ['memory_write', 'Mem Write', false],
      ['memory_readonly', 'Mem Read', true],
      ['scratch', 'Memory', false],
    ])
    const call = async (name: string, args: Record<string, unknown>, threadId?: unknown) => {
      const _meta = threadId === undefined ? {} : { _meta: { 'remindb/threadId': threadId } }
      return JSON.parse(textOf(await client.callTool({ name, arguments: args, ..._meta })))
    }
    const append = { path: '/f', command: 'append', content: 'x' }
    expect(await call('memory_write', append)).toMatchObject({ ok: true })
    expect(await call('memory_readonly', { path: '/f', command: 'read' })).toMatchObject({
      result: { content: 'x' },
    })
    expect(await call('memory_readonly', append)).toMatchObject({ ok: false, error: { code: 'EINVAL' } })
    for (const thread of [undefined, 7, ''])
      expect(await call('scratch', append, thread)).toMatchObject({
        error: { code: 'ENOTMEM', message: 'threadId is required for perThread scope' },
      })
    expect(await call('scratch', append, 't1')).toMatchObject({ ok: true })
    expect(await call('scratch', { path: '/f', command: 'read' }, 't2')).toMatchObject({
      error: { code: 'ENOENT' },
    })
  })
})

test('a thread that the settings fix is the one of every call, whatever the call says', async () => {
  const db = noteFolder({})
  const memories = [{ id: 'own', scope: 'perThread', thread: 'ada' }]
  const env = userSettings({ files: { memories, tools: [{ memory: 'own' }] } })
  const { client } = await connect({ args: ['--db', db, '--tools', 'files'], env })
  const call = async (args: object, _meta?: Record<string, unknown>) => {
    const given = { name: 'memory', arguments: { path: '/f', ...args }, ...(_meta && { _meta }) }
    return JSON.parse(textOf(await client.callTool(given)))
  }
  const claims = { 'remindb/threadId': 'bob' }
  expect(await call({ command: 'append', content: 'x' }, claims)).toMatchObject({ ok: true })
  for (const meta of [undefined, claims, { 'remindb/threadId': '' }])
    expect(await call({ command: 'read' }, meta)).toMatchObject({ result: { content: 'x' } })
  await using memory = await openMemory({ db })
  const filesOf = (threadId: string) =>
    memory.memoryNode({ id: 'own', scope: 'perThread' }).getMemoryService({ threadId })
  expect(await filesOf('ada').read('/f')).toBe('x')
  await expect(filesOf('bob').read('/f')).rejects.toThrow('ENOENT')
})

describe('settings that cannot be used stop the server before it begins:', () => {
  test.each([
    [{ tools: [{ name: 'Bad-Name' }] }, 'files.tools must be a list of'],
    [{ tools: [{ memory: 'none' }] }, 'works on the memory "none", which files.memories does not have'],
    [{ tools: [{ name: 'a' }, { name: 'a' }] }, 'each name once'],
    [{ tools: [] }, 'files.tools must be a list of'],
    [{ tools: [{ commands: ['view'] }] }, 'commands must be a list of some of read, list, append'],
    [{ memories: [{ id: 'm', scope: 'all' }] }, 'scope must be global or perThread'],
    [{ memories: [{ id: 'm' }, { id: 'm' }] }, 'each id once'],
  ])('%j', (files, message) => {
    const env = userSettings({ files })
    const { code, stderr } = remindb(['serve', '--db', '.', '--tools', 'all'], { cwd: noteFolder({}), env })
    expect(code).not.toBe(0)
    expect(stderr).toContain(message)
  })
})

test('a memory that cannot be opened is part of the answer, after what is looked at before it', async () => {
  const folder = noteFolder({
    '.remindb/memory.db': 'This is no database, whatever it is called.\n'.repeat(99),
  })
  const { client } = await connect({ args: ['--db', folder, '--tools', 'files'] })
  const call = async (args: Record<string, unknown>) => {
    const answer = await client.callTool({ name: 'memory', arguments: args })
    return { ...JSON.parse(textOf(answer)), isError: answer.isError ?? false }
  }
  expect(await call({ path: 'notes//today', command: 'read' })).toEqual({
    command: 'read',
    path: '/notes/today',
    ok: false,
    error: { message: expect.stringContaining('not a remindb database') },
    isError: false,
  })
  expect(await call({ path: '../x', command: 'read' })).toMatchObject({ error: { code: 'EINVAL' } })
  expect(await call({ path: '/x', command: 7 })).toMatchObject({
    command: 'unknown',
    path: '/x',
    error: { message: expect.stringContaining('command must be a string'), code: 'EINVAL' },
    isError: true,
  })
})

test('a call that is wrong in itself is an error; a file that is not there is an ordinary answer', async () => {
  const { client } = await connect({ args: ['--db', noteFolder({}), '--tools', 'files'] })
  const call = async (args: Record<string, unknown>) => {
    const answer = await client.callTool({ name: 'memory', arguments: args })
    return { ...JSON.parse(textOf(answer)), isError: answer.isError ?? false }
  }
  expect(await call({ path: '/x', command: 'read' })).toMatchObject({
    error: { code: 'ENOENT' },
    isError: false,
  })
  expect(await call({ path: '/x', command: 'append' })).toMatchObject({
    error: { message: 'content is required for append', code: 'EINVAL' },
    isError: true,
  })
  expect(await call({ command: 'read', file: '/x' })).toMatchObject({
    ok: false,
    error: {
      message: expect.stringMatching(/^missing argument: path; unknown argument: file/),
      code: 'EINVAL',
    },
    isError: true,
  })
  expect(await call({ path: '/x', command: 'view' })).toMatchObject({
    error: { message: 'unknown command: view', code: 'EINVAL' },
    isError: true,
  })
})
