import { mkdirSync, readdirSync, renameSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  expectSound,
  idsByText,
  openIn,
  openWorkspace,
  outlineOf,
  temporaryFolder,
} from '../support/engine.ts'
import { compileCounting, factsIn, LATER } from '../support/engine-files.ts'

const FILES = { 'a.md': 'In a.\n', 'b.md': 'In b.\n', 'sub/c.md': 'In c.\n' }

describe('a file that did not change', () => {
  test('is not read, also after a restart', async () => {
    await using at = await openWorkspace(FILES, LATER)
    expect(await compileCounting(at)).toMatchObject({ read: 0, files: { seen: 3, changed: 0 } })
    await at.reopen()
    expect(await compileCounting(at)).toMatchObject({ read: 0, total: 0, snapshot: null })
    expect((await compileCounting(at, 'sub')).read).toBe(0)
    at.file('b.md', 'Changed in b.\n')
    expect(await compileCounting(at)).toMatchObject({ read: 1, modified: 1 })
  })

  test('is read again when it was written within two seconds of the last look', async () => {
    let time = 0
    await using at = await openWorkspace({}, { now: () => time })
    at.file('a.md', 'In a.\n')
    time = statSync(join(at.folder, 'a.md')).ctimeMs + 1500
    expect(await compileCounting(at)).toMatchObject({ read: 1, added: 1 })
    expect(await compileCounting(at)).toMatchObject({ read: 1, snapshot: null })
    time += 1000
    expect(await compileCounting(at)).toMatchObject({ read: 1, snapshot: null })
    expect(await compileCounting(at)).toMatchObject({ read: 0, snapshot: null })
    await expectSound(at.memory)
  })

  test('is told from another that was made with it and took its place', async () => {
    // Times to the microsecond are set alike; ctime may differ, so several pairs are made.
    const names = Array.from({ length: 20 }, (_, at) => String(at))
    await using at = await openWorkspace({}, LATER)
    for (const name of names) {
      at.file(`one/${name}.md`, `# One ${name}\n`)
      at.file(`two/${name}.md`, `# Two ${name}\n`)
    }
    await at.compile()
    const [one, two, aside] = ['one', 'two', 'aside'].map((name) => join(at.folder, name)) as [
      string,
      string,
      string,
    ]
    renameSync(one, aside)
    renameSync(two, one)
    renameSync(aside, two)
    expect((await at.compile()).modified).toBe(40)
  })

  test('but was written again is read, not parsed, and then not read', async () => {
    await using at = await openWorkspace(FILES, LATER)
    at.file('a.md', FILES['a.md'])
    expect(await compileCounting(at)).toMatchObject({ read: 1, snapshot: null, files: { changed: 0 } })
    expect((await compileCounting(at)).read).toBe(0)
    expect(await at.memory.snapshots()).toHaveLength(1)
  })

  test('is parsed again when it would be parsed in another way', async () => {
    await using at = await openWorkspace({ 'a.md': `${'A sentence of some length. '.repeat(40)}\n` }, LATER)
    await at.reopen({ settings: { 'compile.max_node_tokens': 50 } })
    expect(await compileCounting(at)).toMatchObject({ read: 1, files: { changed: 1 } })
    expect((await compileCounting(at)).read).toBe(0)
  })
})

describe('a change is seen', () => {
  test('when size and time of modification are made to look as before', async () => {
    await using at = await openWorkspace(FILES, LATER)
    const file = join(at.folder, 'a.md')
    const { atime, mtime } = statSync(file)
    at.file('a.md', 'On a.\n')
    utimesSync(file, atime, mtime)
    expect(await compileCounting(at)).toMatchObject({ read: 1, modified: 1 })
  })

  test('when an older copy comes back', async () => {
    await using at = await openWorkspace(FILES, LATER)
    at.file('a.md', 'From last year.\n')
    utimesSync(join(at.folder, 'a.md'), 1, 1)
    expect(await compileCounting(at)).toMatchObject({ read: 1, modified: 1 })
    expect((await compileCounting(at)).read).toBe(0)
  })

  test('when a file takes the place of another', async () => {
    await using at = await openWorkspace({ 'a.md': 'In a.\n', 'b.md': 'In b.\n' }, LATER)
    const before = await idsByText(at.memory)
    renameSync(join(at.folder, 'b.md'), join(at.folder, 'a.md'))
    await at.compile()
    expect(await outlineOf(at.memory)).toEqual(['In b.'])
    expect(Object.values(before)).toContain((await idsByText(at.memory))['In b.'])
    await expectSound(at.memory)
  })
})

describe('a file that fails', () => {
  const BROKEN = 'secretword: [1, !secretword<> 2\n'

  test('is reported again without being read, until it is mended', async () => {
    await using at = await openWorkspace({ 'good.md': 'Good.\n', 'bad.yaml': BROKEN }, LATER)
    const first = (await compileCounting(at)).skipped
    expect(first).toEqual([{ path: 'bad.yaml', line: expect.any(Number), reason: expect.any(String) }])
    await at.reopen()
    const again = await compileCounting(at)
    expect(again).toMatchObject({ read: 0, skipped: first, snapshot: null })
    at.file('bad.yaml', BROKEN)
    expect(await compileCounting(at)).toMatchObject({ read: 1, skipped: first, files: { changed: 0 } })
    at.file('bad.yaml', 'Mended.\n')
    expect(await compileCounting(at)).toMatchObject({ read: 1, added: 1, skipped: [] })
    expect(await compileCounting(at)).toMatchObject({ read: 0, skipped: [] })
    await expectSound(at.memory)
  })

  test('does not get its text into the reason', async () => {
    await using at = await openWorkspace({ 'bad.yaml': BROKEN })
    for (const text of [BROKEN, 'a: *secretword\n', 'a: !x!secretword b\n']) {
      const [skipped] = (await at.compile({ 'bad.yaml': text })).skipped
      expect(skipped?.reason).not.toContain('secretword')
      expect(skipped?.reason).toBeTruthy()
    }
  })

  test('and gets its last good text back is as it was', async () => {
    await using at = await openWorkspace({ 'a.yaml': 'Good.\n' }, LATER)
    const before = await idsByText(at.memory)
    expect((await at.compile({ 'a.yaml': BROKEN })).skipped).toHaveLength(1)
    expect(await at.compile({ 'a.yaml': 'Good.\n' })).toMatchObject({ total: 0, skipped: [] })
    expect(await idsByText(at.memory)).toEqual(before)
    expect(await compileCounting(at)).toMatchObject({ read: 0, skipped: [] })
    await expectSound(at.memory)
  })

  test('is parsed again when it would be parsed in another way', async () => {
    await using at = await openWorkspace({ 'bad.yaml': BROKEN }, LATER)
    await at.reopen({ settings: { 'compile.max_node_tokens': 50 } })
    expect(await compileCounting(at)).toMatchObject({ read: 1, skipped: [{ path: 'bad.yaml' }] })
  })
})

describe('what is known of files', () => {
  test('goes with the file', async () => {
    await using at = await openWorkspace({ ...FILES, 'bad.yaml': 'a: [\n' }, LATER)
    expect(factsIn(at.memory)).toEqual(['. a.md', '. b.md', '. bad.yaml', '. sub/c.md'])
    at.remove('a.md')
    await at.compile()
    expect(factsIn(at.memory)).toEqual(['. b.md', '. bad.yaml', '. sub/c.md'])
    at.remove('bad.yaml')
    expect((await at.compile()).snapshot).toBeNull()
    expect(factsIn(at.memory)).toEqual(['. b.md', '. sub/c.md'])
    at.remove('b.md')
    await at.memory.compile(join(at.folder, 'sub'))
    expect(factsIn(at.memory)).toEqual(['. b.md', '. sub/c.md'])
  })

  test('is learnt anew under a new name', async () => {
    await using at = await openWorkspace(FILES, LATER)
    renameSync(join(at.folder, 'a.md'), join(at.folder, 'z.md'))
    expect(await compileCounting(at)).toMatchObject({ read: 1, total: 0 })
    expect(factsIn(at.memory)).toEqual(['. b.md', '. sub/c.md', '. z.md'])
    expect((await compileCounting(at)).read).toBe(0)
  })

  test('is learnt anew when a wider root takes a folder over', async () => {
    const folder = temporaryFolder()
    const notes = join(folder, 'notes')
    mkdirSync(join(notes, 'sub'), { recursive: true })
    writeFileSync(join(notes, 'sub/c.md'), 'In c.\n')
    await using memory = await openIn(join(folder, 'memory.db'), LATER)
    await memory.compile(join(notes, 'sub'))
    expect(factsIn(memory)).toEqual(['notes/sub c.md'])
    expect(await memory.compile(notes)).toMatchObject({ total: 0 })
    expect(factsIn(memory)).toEqual(['notes sub/c.md'])
    expect((await compileCounting({ memory, folder: notes })).read).toBe(0)
    await expectSound(memory)
  })

  test('is erased with the document', async () => {
    await using at = await openWorkspace(FILES, LATER)
    await at.memory.erase({ kind: 'source', root: '.', path: 'a.md' })
    expect(factsIn(at.memory)).toEqual(['. b.md', '. sub/c.md'])
    expect((await at.compile()).skipped).toMatchObject([{ path: 'a.md' }])
    expect(factsIn(at.memory)).toEqual(['. b.md', '. sub/c.md'])
    await expectSound(at.memory)
  })
})

describe('a file that is too large', () => {
  test('is reported, keeps its nodes, and is compiled when it may be', async () => {
    const settings = { 'compile.max_file_size': '1KB' }
    await using at = await openWorkspace(FILES, { ...LATER, settings })
    const result = await at.compile({ 'a.md': `${'In a. '.repeat(400)}\n` })
    expect(result).toMatchObject({ total: 0, snapshot: null, files: { seen: 2 } })
    expect(result.skipped).toEqual([
      { path: 'a.md', line: null, reason: 'is larger than compile.max_file_size (2.3 KB > 1.0 KB)' },
    ])
    expect(await outlineOf(at.memory)).toContain('In a.')
    await at.reopen({ settings: {} })
    expect(await at.compile()).toMatchObject({ skipped: [], files: { changed: 1 } })
    await expectSound(at.memory)
  })
})

test('a file that goes away, or becomes a folder, before it is read keeps its nodes until the next look', async () => {
  await using at = await openWorkspace(FILES)
  for (const path of Object.keys(FILES)) at.file(path, 'Changed.\n')
  let isFirst = true
  const result = await at.memory.compile(at.folder, {
    onProgress: () => {
      if (!isFirst) return
      isFirst = false
      at.remove('b.md')
      at.remove('sub/c.md')
      mkdirSync(join(at.folder, 'sub/c.md'))
    },
  })
  expect(result).toMatchObject({ modified: 1, removed: 0 })
  expect(result.skipped).toEqual([
    { path: 'b.md', line: null, reason: 'cannot be read (ENOENT)' },
    { path: 'sub/c.md', line: null, reason: 'is no longer a regular file' },
  ])
  expect(await outlineOf(at.memory)).toEqual(['Changed.', 'In b.', 'In c.'])
  expect(await at.compile()).toMatchObject({ removed: 2, skipped: [] })
  await expectSound(at.memory)
})

describe('a compile that is given up', () => {
  const many = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`f${at}.md`, `Text ${at}.\n`]))

  test.each(['read', 'write'])('while it has to %s leaves nothing behind', async (wanted) => {
    await using at = await openWorkspace({ 'old.md': 'Old.\n' })
    const giveUp = new AbortController()
    for (const [path, text] of Object.entries(many)) at.file(path, text)
    const compiling = at.memory.compile(at.folder, {
      signal: giveUp.signal,
      onProgress: ({ phase, done }) => {
        if (phase === wanted && done === 10) giveUp.abort(new Error('enough'))
      },
    })
    await expect(compiling).rejects.toThrow('enough')
    expect(await outlineOf(at.memory)).toEqual(['Old.'])
    expect(readdirSync(join(at.folder, '.remindb')).filter((name) => name.includes('spool'))).toEqual([])
    await expectSound(at.memory)
    expect((await at.compile()).added).toBe(20)
  })

  test('before it began does nothing', async () => {
    await using at = await openWorkspace({ 'old.md': 'Old.\n' })
    await expect(at.memory.compile(at.folder, { signal: AbortSignal.abort() })).rejects.toThrow('abort')
  })

  test('because it took too long says so, and what to do', async () => {
    await using at = await openWorkspace({ 'old.md': 'Old.\n' })
    const memory = await at.reopen({ settings: { 'compile.wall_clock_timeout': '20ms' } })
    at.file('new.md', 'New.\n')
    const onProgress = (): void => {
      const end = performance.now() + 30
      while (performance.now() < end) {
        // Longer than it may take.
      }
    }
    await expect(memory.compile(at.folder, { onProgress })).rejects.toMatchObject({
      code: 'TIMEOUT',
      message:
        'failed to compile: wall-clock timeout exceeded after 20ms; raise compile.wall_clock_timeout or compile less',
    })
    expect(await outlineOf(memory)).toEqual(['Old.'])
    await expectSound(memory)
    await at.reopen({ settings: { 'compile.wall_clock_timeout': '1h' } })
    expect((await at.compile()).added).toBe(1)
  })
})
