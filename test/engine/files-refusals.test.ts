import { describe, expect, test } from 'vitest'
import { createMemoryTool } from '../../src/core/files/memory-tool.ts'
import { openFiles } from '../support/files.ts'

const error = (code: string, message: unknown) => ({ ok: false, error: { code, message } })
const NO_OBJECT = 'arguments must be an object with path and command'

describe('the tool says what is wrong with a call', () => {
  const cases: [args: unknown, path: string, code: string, message: string][] = [
    [{ path: '/none', command: 'read' }, '/none', 'ENOENT', 'ENOENT: file not found'],
    [
      { path: '/none', command: 'update', oldContent: 'a', content: 'b' },
      '/none',
      'ENOENT',
      'ENOENT: file not found',
    ],
    [{ path: '/notes', command: 'read' }, '/notes', 'EISDIR', 'EISDIR: path is a directory'],
    [{ path: '/', command: 'read' }, '/', 'EISDIR', 'EISDIR: path is a directory'],
    [{ path: '/notes/', command: 'append', content: 'x' }, '/notes', 'EISDIR', 'EISDIR: path is a directory'],
    [{ path: '/', command: 'append', content: 'x' }, '/', 'EISDIR', 'EISDIR: path is a directory'],
    [
      { path: 'notes', command: 'update', oldContent: 'a', content: 'b' },
      '/notes',
      'EISDIR',
      'EISDIR: path is a directory',
    ],
    [{ path: '/none', command: 'append' }, '/none', 'EINVAL', 'content is required for append'],
    [
      { path: '/none', command: 'update', oldContent: 'a' },
      '/none',
      'EINVAL',
      'oldContent and content are required for update',
    ],
    [
      { path: '/none', command: 'update', content: 'a' },
      '/none',
      'EINVAL',
      'oldContent and content are required for update',
    ],
    [{ path: '/none', command: 'view' }, '/none', 'EINVAL', 'unknown command: view'],
    [{ path: '/none', command: 'constructor' }, '/none', 'EINVAL', 'unknown command: constructor'],
    [{ path: '', command: 'read' }, '/', 'EINVAL', 'path is required'],
    [{ path: ' ', command: 'delete' }, '/', 'EINVAL', 'path is required'],
    [{ path: '../x', command: 'append' }, '../x', 'EINVAL', 'invalid path: ".." not allowed'],
    [{ path: '/a/$b', command: 'nonsense' }, '/a/$b', 'EINVAL', 'invalid path: "$" not allowed'],
    [{ path: '/a//b:c/', command: 'list' }, '/a//b:c/', 'EINVAL', 'invalid path segment: b:c'],
  ]
  test.each(cases)('%j', async (args, path, code, message) => {
    await using at = await openFiles()
    await at.append('/notes/today', 'hello')
    const answer = await at.run(args)
    expect(answer).toEqual({
      command: (args as { command: string }).command,
      path,
      ...error(code, message),
    })
    expect(Object.keys(answer)).toEqual(['command', 'path', 'ok', 'error'])
  })

  test.each([
    [undefined, 'unknown', '/', NO_OBJECT],
    [null, 'unknown', '/', NO_OBJECT],
    ['read', 'unknown', '/', NO_OBJECT],
    [[], 'unknown', '/', NO_OBJECT],
    [{}, 'unknown', '/', 'missing arguments: path, command'],
    [{ path: '/a' }, 'unknown', '/a', 'missing argument: command'],
    [{ command: 'read' }, 'read', '/', 'missing argument: path'],
    [{ path: 7, command: 'read' }, 'read', '/', 'path must be a string'],
    [{ path: '/a', command: 7 }, 'unknown', '/a', 'command must be a string'],
    [{ path: '/a', command: 'append', content: 7 }, 'append', '/a', 'content must be a string'],
    [{ path: null, command: 'read' }, 'read', '/', 'missing argument: path'],
    [
      { path: '/a', command: 'update', content: 'x', oldContent: {} },
      'update',
      '/a',
      'oldContent must be a string',
    ],
  ])('%j: the answer names the arguments that are wrong', async (args, command, path, message) => {
    await using at = await openFiles()
    const remedy =
      message === NO_OBJECT
        ? ''
        : '; the arguments are path, command, content, oldContent, offset, limit, as_of'
    expect(await at.run(args)).toEqual({ command, path, ...error('EINVAL', `${message}${remedy}`) })
  })

  test('an unknown argument is named, with the valid ones, nearest first', async () => {
    await using at = await openFiles()
    expect(await at.run({ path: '/a', command: 'update', content: 'x', old_content: 'y' })).toMatchObject(
      error(
        'EINVAL',
        expect.stringMatching(/^unknown argument: old_content; the arguments are oldContent, /),
      ),
    )
    expect(await at.run({ command: 'read', paths: '/a' })).toMatchObject(
      error(
        'EINVAL',
        expect.stringMatching(/^missing argument: path; unknown argument: paths; the arguments are path, /),
      ),
    )
  })

  test('null counts as not given', async () => {
    await using at = await openFiles()
    expect(await at.run({ path: '/', command: 'list', content: null, oldContent: null })).toMatchObject({
      ok: true,
    })
    expect(await at.run({ path: '/a', command: 'append', content: null })).toMatchObject(
      error('EINVAL', 'content is required for append'),
    )
  })
})

describe('a tool without a memory', () => {
  const NOT_CONNECTED = 'Memory not connected: wire Memory.$self to Tool.$memory (setMemorySource)'
  const run = async (args: unknown) => JSON.parse(await createMemoryTool().call(args))

  test('says so after the path was looked at, before anything else', async () => {
    expect(await run({ path: '/a', command: 'read' })).toMatchObject(error('ENOTMEM', NOT_CONNECTED))
    expect(await run({ path: '/a', command: 'append' })).toMatchObject(error('ENOTMEM', NOT_CONNECTED))
    expect(await run({ path: '/a', command: 'view' })).toMatchObject(error('ENOTMEM', NOT_CONNECTED))
    expect(await run({ path: '', command: 'read' })).toMatchObject(error('EINVAL', 'path is required'))
    expect(await run({ path: '/a' })).toMatchObject(
      error('EINVAL', expect.stringContaining('missing argument: command')),
    )
  })

  test.each([undefined, null, 7, 'M', {}, { getMemoryService: 1 }])('takes no %j for one', (source) => {
    const tool = createMemoryTool()
    expect(() => tool.setMemorySource(source as never)).toThrow('Invalid argument to setMemorySource')
  })

  test('passes on what a source cannot do', async () => {
    const tool = createMemoryTool()
    tool.setMemorySource(() => {
      throw new Error('no such node')
    })
    expect(JSON.parse(await tool.call({ path: '/a', command: 'read' }))).toMatchObject(
      error('ENOTMEM', 'Memory not connected: no such node'),
    )
  })
})

describe('a tool with a list of commands', () => {
  test('does those and no others', async () => {
    await using at = await openFiles()
    await at.append('/f', 'hello')
    at.tool.setConfig({ name: 'memory_readonly', commands: ['read', 'list'] })
    expect(await at.read('/f')).toBe('hello')
    expect(await at.run({ path: '/', command: 'list' })).toMatchObject({ ok: true })
    for (const command of ['append', 'update', 'delete'])
      expect(await at.run({ path: '/f', command, content: 'x', oldContent: 'hello' })).toMatchObject(
        error('EINVAL', `command not allowed: ${command}; this tool allows read, list`),
      )
    expect(await at.read('/f')).toBe('hello')
  })
})

describe('the scope', () => {
  test('perThread keeps the files of threads apart, and from those of all', async () => {
    await using at = await openFiles({ scope: 'perThread' })
    await at.append('/f', 'one', 't1')
    await at.append('/f', 'two', 't2')
    await at.memory
      .memoryNode({ id: 'memory', scope: 'perThread' })
      .getMemoryService({ scope: 'global' })
      .append('/f', 'all')
    expect([await at.read('/f', 't1'), await at.read('/f', 't2'), await at.read('/f', 't3')]).toEqual([
      'one',
      'two',
      'ENOENT',
    ])
    expect(await at.run({ path: '/f', command: 'delete' }, 't1')).toMatchObject({ result: { files: 1 } })
    expect(await at.run({ path: '/f', command: 'delete' }, 't3')).toMatchObject({ result: { files: 0 } })
    expect(await at.read('/f', 't2')).toBe('two')
    expect((await at.files.dump()).threadId).toBe('t1')
  })

  test.each([undefined, '', '  '])('perThread needs a thread: %j is none', async (threadId) => {
    await using at = await openFiles({ scope: 'perThread' })
    expect(await at.run({ path: '/f', command: 'append' }, threadId)).toMatchObject(
      error('ENOTMEM', 'threadId is required for perThread scope'),
    )
  })

  test('a thread that the settings fix is used whatever a call says', async () => {
    await using at = await openFiles({ scope: 'perThread', thread: 'mine' })
    await at.append('/f', 'x', 'other')
    expect(await at.read('/f')).toBe('x')
    expect(at.files.memory).toEqual({ node: 'memory', scope: 'perThread', thread: 'mine' })
  })

  test('two threads never become one: an id that is not stored as it is is refused', async () => {
    await using at = await openFiles({ scope: 'perThread' })
    for (const thread of ['x'.repeat(257), 'AKIAIOSFODNN7EXAMPLE', 'a\ud800'])
      expect(await at.append('/f', 'x', thread)).toMatchObject({ ok: false, error: { code: 'ENOTMEM' } })
  })

  test('global is one for all threads of a node, and another for each node', async () => {
    await using at = await openFiles()
    await at.append('/f', 'x', 't1')
    expect(await at.read('/f', 't2')).toBe('x')
    const other = at.memory.memoryNode({ id: 'other', scope: 'global' }).getMemoryService()
    expect(await other.list()).toEqual([])
  })
})
