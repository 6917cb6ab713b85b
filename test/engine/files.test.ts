import { describe, expect, test } from 'vitest'
import { expectSound, idOf, outlineOf } from '../support/engine.ts'
import { openFiles } from '../support/files.ts'

/** Requests and answers as the seed page has them, one after the other on one memory. */
const EXAMPLES: [request: object, answer: string][] = [
  [
    { path: '/notes/today', command: 'append', content: 'hello' },
    '{"command":"append","path":"/notes/today","ok":true,"result":{"status":"ok"}}',
  ],
  [
    { path: '/notes/today', command: 'read' },
    '{"command":"read","path":"/notes/today","ok":true,"result":{"content":"hello"}}',
  ],
  [
    { path: '/missing', command: 'read' },
    '{"command":"read","path":"/missing","ok":false,"error":{"message":"ENOENT: file not found","code":"ENOENT"}}',
  ],
  [
    { path: '', command: 'list' },
    '{"command":"list","path":"/","ok":true,"result":{"entries":[{"name":"notes","kind":"dir"}]}}',
  ],
  [
    { path: '/notes/today', command: 'update', oldContent: 'hello', content: 'hi' },
    '{"command":"update","path":"/notes/today","ok":true,"result":{"replaced":1}}',
  ],
  [
    { path: '/notes', command: 'delete' },
    '{"command":"delete","path":"/notes","ok":true,"result":{"files":1,"dirs":1}}',
  ],
  [
    { path: '/notes/x', command: 'append' },
    '{"command":"append","path":"/notes/x","ok":false,"error":{"message":"content is required for append","code":"EINVAL"}}',
  ],
]

test('the tool answers as its page says, to the letter', async () => {
  await using at = await openFiles()
  for (const [request, answer] of EXAMPLES) expect(await at.tool.call(request)).toBe(answer)
  await expectSound(at.memory)
})

describe('append', () => {
  test.each([
    ['a', 'b', 'a\nb'],
    ['a\n', 'b', 'a\nb'],
    ['a', '\nb', 'a\nb'],
    ['a\n', '\nb', 'a\n\nb'],
    ['', 'b', 'b'],
    ['', '', ''],
    ['a', '', 'a\n'],
    ['a\n', '', 'a\n'],
    ['a\r\n', 'b', 'a\r\nb'],
    ['a ', ' b ', 'a \n b '],
  ])('of %j, then %j says %j', async (first, second, whole) => {
    await using at = await openFiles()
    await at.append('/f', first)
    await at.append('/f', second)
    expect(await at.read('/f')).toBe(whole)
    await expectSound(at.memory)
  })

  test('knows how a text ends after it was updated, emptied and made anew', async () => {
    await using at = await openFiles()
    await at.append('/f', 'a')
    await at.run({ path: '/f', command: 'update', oldContent: 'a', content: 'b\n' })
    await at.append('/f', 'c')
    expect(await at.read('/f')).toBe('b\nc')
    await at.run({ path: '/f', command: 'update', oldContent: 'b\nc', content: '' })
    await at.append('/f', 'd')
    expect(await at.read('/f')).toBe('d')
    await at.run({ path: '/f', command: 'delete' })
    await at.append('/f', 'e')
    expect(await at.read('/f')).toBe('e')
  })

  test('knows how a text ends after one of its nodes was changed by hand', async () => {
    await using at = await openFiles()
    await at.append('/f', '# Log\n\none\n\ntwo\n')
    await at.memory.write({ anchor: await idOf(at.memory, 'two'), payload: 'three' })
    expect(await at.read('/f')).toBe('# Log\n\none\n\nthree\n')
    await at.append('/f', 'four')
    expect(await at.read('/f')).toBe('# Log\n\none\n\nthree\nfour')
    await at.memory.forget({ id: await idOf(at.memory, 'four') })
    await at.append('/f', 'five')
    expect(await at.read('/f')).toBe('# Log\n\none\n\nthree\nfive')
    await expectSound(at.memory)
  })

  test('makes the folders above, and none is refused for being there already', async () => {
    await using at = await openFiles()
    await at.append('a/b/c', 'x')
    await at.append('/a/b/d', 'y')
    expect((await at.files.dump()).dirs).toEqual({ '/a': true, '/a/b': true })
    expect(await at.run({ path: '/a/b', command: 'list' })).toMatchObject({
      result: {
        entries: [
          { name: 'c', kind: 'file' },
          { name: 'd', kind: 'file' },
        ],
      },
    })
  })

  test('below a file is refused, and makes nothing', async () => {
    await using at = await openFiles()
    await at.append('/a', 'x')
    expect(await at.append('/a/b/c', 'y')).toMatchObject({
      ok: false,
      error: { code: 'EINVAL', message: 'invalid path: /a is a file, not a folder' },
    })
    expect(await at.files.dump()).toMatchObject({ data: { '/a': 'x' }, dirs: {} })
  })

  test('is one snapshot, signed, with the folders', async () => {
    await using at = await openFiles()
    await at.append('/a/b', 'x')
    expect(await at.memory.snapshots()).toMatchObject([
      { operation: 'file', message: 'append:/a/b', author: 'library' },
    ])
  })

  test('puts what is said under the headings that are open', async () => {
    await using at = await openFiles()
    await at.append('/log', '# Log\n\n## Monday\n\nrain')
    await at.append('/log', 'wind')
    await at.append('/log', '## Tuesday\n\nsun')
    expect(await outlineOf(at.memory)).toEqual([
      'Log',
      '  Monday',
      '    rain',
      '    wind',
      '  Tuesday',
      '    sun',
    ])
  })
})

describe('update', () => {
  test.each([
    ['one two one', 'one', '1', 2, '1 two 1'],
    ['aaaa', 'aa', 'b', 2, 'bb'],
    ['aaa', 'aa', 'a', 1, 'aa'],
    ['hello', 'x', 'y', 0, 'hello'],
    ['hello', '', 'y', 0, 'hello'],
    ['hello', 'll', '', 1, 'heo'],
    ['a$&b', '$&', "$'", 1, "a$'b"],
    ['hello', 'hello', 'hello', 1, 'hello'],
  ])('of %j: %j by %j', async (text, oldContent, content, replaced, after) => {
    await using at = await openFiles()
    await at.append('/f', text)
    expect(await at.run({ path: '/f', command: 'update', oldContent, content })).toMatchObject({
      ok: true,
      result: { replaced },
    })
    expect(await at.read('/f')).toBe(after)
  })

  test.each([
    ['x', 'y'],
    ['', 'y'],
    ['hello', 'hello'],
  ])('of %j by %j that changes nothing writes nothing', async (oldContent, content) => {
    await using at = await openFiles()
    await at.append('/f', 'hello')
    await at.run({ path: '/f', command: 'update', oldContent, content })
    expect(await at.memory.snapshots()).toHaveLength(1)
  })

  test('reaches across what was appended', async () => {
    await using at = await openFiles()
    for (const line of ['one', 'two', 'three']) await at.append('/f', line)
    await at.run({ path: '/f', command: 'update', oldContent: 'one\ntwo', content: 'both' })
    expect(await at.read('/f')).toBe('both\nthree')
    await expectSound(at.memory)
  })
})

describe('delete', () => {
  test('counts files and folders, and leaves the folders above', async () => {
    await using at = await openFiles()
    for (const path of ['/a/b/c', '/a/b/d', '/a/e', '/ab', '/a b']) await at.append(path, path)
    const remove = (path: string) => at.run({ path, command: 'delete' })
    expect(await remove('/a/b/c')).toMatchObject({ ok: true, result: { files: 1, dirs: 0 } })
    expect(await remove('/a/b/d')).toMatchObject({ ok: true, result: { files: 1, dirs: 0 } })
    expect(await at.files.stat('/a/b')).toEqual({ kind: 'dir', size: 0 })
    expect(await remove('/a')).toMatchObject({ ok: true, result: { files: 1, dirs: 2 } })
    expect(await at.files.stat('/a')).toEqual({ kind: 'none', size: 0 })
    expect(await remove('/a')).toMatchObject({ ok: true, result: { files: 0, dirs: 0 } })
    expect(await remove('/')).toMatchObject({ ok: true, result: { files: 2, dirs: 0 } })
    expect(await at.files.dump()).toMatchObject({ data: {}, dirs: {} })
    await expectSound(at.memory)
  })

  test('of what is not there writes nothing', async () => {
    await using at = await openFiles()
    expect(await at.run({ path: '/none', command: 'delete' })).toMatchObject({
      result: { files: 0, dirs: 0 },
    })
    expect(await at.run({ path: '/', command: 'delete' })).toMatchObject({ result: { files: 0, dirs: 0 } })
    expect(await at.memory.snapshots()).toEqual([])
  })

  test('of very many files is one snapshot that can be taken back', async () => {
    await using at = await openFiles()
    for (let i = 0; i < 30; i++) await at.append(`/d/f${i}`, `text ${i}`)
    const before = await at.files.dump()
    const { id } = (await at.memory.snapshots())[0] ?? { id: 0 }
    await at.run({ path: '/', command: 'delete' })
    expect((await at.memory.snapshots())[0]).toMatchObject({ id: id + 1, message: 'delete:/' })
    await at.memory.rollback({ snapshotId: id })
    expect(await at.files.dump()).toEqual(before)
  })
})

describe('list and stat', () => {
  test('tell what is right below, by name', async () => {
    await using at = await openFiles()
    for (const path of ['/b/x/y', '/a.md', '/a-1/z', '/a/b', '/a b', '/B']) await at.append(path, 'x')
    const list = async (path: string) =>
      (await at.files.list(path)).map(({ name, kind }) => (kind === 'dir' ? `${name}/` : name))
    expect(await list('/')).toEqual(['B', 'a/', 'a b', 'a-1/', 'a.md', 'b/'])
    expect(await list('/b')).toEqual(['x/'])
    expect(await list('/a.md')).toEqual([])
    expect(await list('/none')).toEqual([])
  })

  test('tell sizes in bytes, also of what was appended', async () => {
    await using at = await openFiles()
    await at.append('/f', 'tö')
    expect(await at.files.stat('/f')).toEqual({ kind: 'file', size: 3 })
    await at.append('/f', 'ä\n')
    expect(await at.files.stat('f')).toEqual({ kind: 'file', size: 7 })
    expect(await at.files.stat('/')).toEqual({ kind: 'dir', size: 0 })
  })
})
