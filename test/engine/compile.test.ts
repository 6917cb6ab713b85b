import { mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  expectSound,
  flat,
  idsByText,
  openIn,
  openWorkspace,
  outlineOf,
  stateOf,
  temporaryFolder,
} from '../support/engine.ts'
import { compileElsewhere, compileElsewhereSync } from '../support/engine-process.ts'

const FILES = {
  'a.md': '# A\n\nIn a.\n',
  'sub/b.md': '# B\n\nIn b.\n',
  'sub/deep/c.markdown': 'In c.\n',
}

describe('compile', () => {
  test('records who, what, why and where on the snapshot', async () => {
    await using at = await openWorkspace(FILES)
    const [snapshot] = await at.memory.snapshots()
    expect(snapshot).toMatchObject({
      author: 'library',
      operation: 'compile',
      message: `compile:${at.folder}`,
      root: at.folder,
      parentId: null,
    })
    at.file('a.md', '# A\n\nChanged in a.\n')
    const second = await at.memory.compile(at.folder, { message: 'because' })
    expect(second.snapshot).toMatchObject({ message: 'because', parentId: snapshot?.id })
  })

  test.each([
    ['a file first', ['sub/b.md', 'sub', '']],
    ['a sub-folder first', ['sub', '', 'sub/b.md']],
    ['the folder first', ['', 'sub', 'sub/deep/c.markdown']],
  ])('gives the same nodes whatever is named: %s', async (_, scopes) => {
    await using whole = await openWorkspace(FILES)
    await using at = await openWorkspace()
    for (const [path, text] of Object.entries(FILES)) at.file(path, text)
    for (const scope of scopes) await at.memory.compile(join(at.folder, scope))
    await at.compile()
    expect(await idsByText(at.memory)).toEqual(await idsByText(whole.memory))
    expect(await stateOf(at.memory)).toEqual(await stateOf(whole.memory))
    await expectSound(at.memory)
  })

  test('of a sub-folder leaves deleted files elsewhere alone', async () => {
    await using at = await openWorkspace(FILES)
    at.remove('a.md')
    at.remove('sub/b.md')
    expect(await at.memory.compile(join(at.folder, 'sub'))).toMatchObject({
      removed: 2,
      files: { removed: 1 },
    })
    expect(await outlineOf(at.memory)).toEqual(['A', '  In a.', 'In c.'])
    await expectSound(at.memory)
  })

  test('takes away what a deleted file said, also after a restart', async () => {
    await using at = await openWorkspace(FILES)
    at.remove('sub')
    await at.reopen()
    const result = await at.compile()
    expect(result).toMatchObject({ removed: 3, files: { seen: 1, changed: 0, removed: 2 } })
    expect(await outlineOf(at.memory)).toEqual(['A', '  In a.'])
    expect((await at.compile()).snapshot).toBeNull()
    await expectSound(at.memory)
  })

  test('takes away the nodes of a file that now says nothing', async () => {
    await using at = await openWorkspace(FILES)
    const ids = await idsByText(at.memory)
    expect(await at.compile({ 'a.md': '\n\n' })).toMatchObject({ removed: 2, skipped: [] })
    expect((await at.compile()).snapshot).toBeNull()
    await at.compile({ 'a.md': FILES['a.md'] })
    expect(await idsByText(at.memory)).toEqual(ids)
    await expectSound(at.memory)
  })

  test('of a folder without files changes nothing', async () => {
    await using at = await openWorkspace()
    expect(await at.compile()).toMatchObject({ total: 0, snapshot: null })
    expect(await at.compile({ 'empty.md': '' })).toMatchObject({ total: 0, snapshot: null })
    expect(await at.memory.snapshots()).toEqual([])
  })

  test('that finds nothing new writes nothing', async () => {
    await using at = await openWorkspace(FILES, { now: () => Date.now() + 3_600_000 })
    await at.reopen()
    await at.memory.close()
    const before = readFileSync(at.memory.path)
    const modified = statSync(at.memory.path).mtimeMs
    const memory = await at.reopen()
    expect(await at.compile()).toMatchObject({ total: 0, snapshot: null, files: { seen: 3, changed: 0 } })
    await memory.close()
    expect(readFileSync(at.memory.path).equals(before)).toBe(true)
    expect(statSync(at.memory.path).mtimeMs).toBe(modified)
    // The same text, but another file on disk.
    at.file('a.md', FILES['a.md'])
    await at.reopen()
    expect((await at.compile()).snapshot).toBeNull()
    expect(await at.memory.snapshots()).toHaveLength(1)
  })

  test('takes a change that no node shows without a snapshot, and does not look at it again', async () => {
    await using at = await openWorkspace(FILES)
    const result = await at.compile({ 'a.md': '# A\n\n\n\nIn a.   \n' })
    expect(result).toMatchObject({ total: 0, snapshot: null })
    expect((await at.compile()).files.changed).toBe(0)
    await expectSound(at.memory)
  })

  test('refuses a path that is not there', async () => {
    await using at = await openWorkspace(FILES)
    await expect(at.memory.compile(join(at.folder, 'nowhere'))).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

describe('a file that cannot be compiled', () => {
  test.each([['bytes that are not UTF-8', Buffer.from([0x4f, 0x6b, 0x0a, 0x0a, 0x4e, 0xff, 0x0a]), 3]])(
    'is reported and skipped while the rest compiles: %s',
    async (_, broken, line) => {
      await using at = await openWorkspace({ ...FILES, 'bad.md': 'Last good text.\n' })
      at.file('bad.md', broken)
      const result = await at.compile({ 'sub/b.md': '# B\n\nIn b.\n\nMore in b.\n' })
      expect(result).toMatchObject({ added: 1, modified: 0, removed: 0 })
      expect(result.skipped).toEqual([
        { path: 'bad.md', line: expect.any(Number), reason: expect.any(String) },
      ])
      expect(Math.abs((result.skipped[0]?.line ?? 0) - line)).toBeLessThanOrEqual(1)
      expect(await outlineOf(at.memory)).toContain('Last good text.')
      // Still broken, still said.
      expect((await at.compile()).skipped).toEqual(result.skipped)
      const mended = await at.compile({ 'bad.md': 'Last good text.\n\nAnd mended.\n' })
      expect(mended).toMatchObject({ added: 1, modified: 0, removed: 0, skipped: [] })
      await expectSound(at.memory)
    },
  )

  test('does not keep a first compile from the others', async () => {
    await using at = await openWorkspace({ 'a.md': 'Good.\n', 'bad.yaml': 'a: [\n' })
    expect(await outlineOf(at.memory)).toEqual(['Good.'])
  })
})

describe('links', () => {
  test('to a file in the folder are read, to one outside are reported', async () => {
    await using at = await openWorkspace(FILES)
    const outside = temporaryFolder()
    writeFileSync(join(outside, 'secret.md'), 'Not yours.\n')
    symlinkSync(join(outside, 'secret.md'), join(at.folder, 'out.md'))
    at.file('raw.bak', 'Behind.\n\nA link.\n')
    symlinkSync(join(at.folder, 'raw.bak'), join(at.folder, 'in.md'))
    symlinkSync(join(at.folder, 'nowhere.md'), join(at.folder, 'broken.md'))
    symlinkSync(outside, join(at.folder, 'folder'))
    const result = await at.compile()
    expect(result.skipped.toSorted((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
      { path: 'out.md', line: null, reason: 'is a link that leaves the folder' },
    ])
    expect(result.added).toBe(2)
    expect(await outlineOf(at.memory)).not.toContain('Not yours.')
    await expectSound(at.memory)
    rmSync(outside, { recursive: true })
  })

  test('to a file that is gone is gone too', async () => {
    await using at = await openWorkspace({ 'notes/a.log': 'not compiled\n', 'b.md': 'In b.\n' })
    at.file('notes/target.log', 'Behind a link.\n')
    symlinkSync(join(at.folder, 'notes/target.log'), join(at.folder, 'link.md'))
    expect(await at.compile()).toMatchObject({ added: 1, skipped: [] })
    at.remove('notes/target.log')
    expect(await at.compile()).toMatchObject({ removed: 1, skipped: [] })
    expect(await outlineOf(at.memory)).toEqual(['In b.'])
    await expectSound(at.memory)
  })

  test('a file that became a link out of the folder keeps its last good nodes', async () => {
    await using at = await openWorkspace(FILES)
    const outside = temporaryFolder()
    writeFileSync(join(outside, 'a.md'), 'Not yours.\n')
    at.remove('a.md')
    symlinkSync(join(outside, 'a.md'), join(at.folder, 'a.md'))
    const result = await at.compile()
    expect(result).toMatchObject({ removed: 0, snapshot: null })
    expect(result.skipped.map(({ path }) => path)).toEqual(['a.md'])
    rmSync(outside, { recursive: true })
  })
})

describe('two at once', () => {
  test('read again what another process compiled meanwhile, and leave one snapshot', async () => {
    await using at = await openWorkspace({ 'a.md': 'In a.\n', 'b.md': 'In b.\n', 'c.md': 'In c.\n' })
    at.file('a.md', 'In a, changed.\n')
    at.file('b.md', 'In b, changed.\n')
    at.remove('c.md')
    let isFirst = true
    const result = await at.memory.compile(at.folder, {
      onProgress: ({ phase, done, total }) => {
        if (phase !== 'read' || done < total || !isFirst) return
        isFirst = false
        at.file('c.md', 'In c, and back.\n')
        compileElsewhereSync(at.folder)
        at.file('b.md', 'In b, changed twice.\n')
        at.remove('a.md')
      },
    })
    expect(result).toMatchObject({ added: 0, modified: 1, removed: 1, skipped: [] })
    expect(result.files).toEqual({ seen: 2, changed: 1, removed: 1 })
    expect(await outlineOf(at.memory)).toEqual(['In b, changed twice.', 'In c, and back.'])
    expect((await at.memory.snapshots()).map(({ author }) => author)).toHaveLength(3)
    await expectSound(at.memory)
  })

  test('give up when the others never stop', async () => {
    await using at = await openWorkspace({ 'a.md': 'In a.\n' })
    let count = 0
    at.file('a.md', 'Before the first.\n')
    const compiling = at.memory.compile(at.folder, {
      onProgress: ({ phase, done, total }) => {
        if (phase !== 'read' || done < total) return
        at.file('a.md', `Elsewhere ${++count}.\n`)
        compileElsewhereSync(at.folder)
        at.file('a.md', `After it ${count}.\n`)
      },
    })
    await expect(compiling).rejects.toMatchObject({ code: 'CONFLICT' })
    expect((await at.compile()).modified).toBe(1)
    expect(await outlineOf(at.memory)).toEqual([`After it ${count}.`])
    await expectSound(at.memory)
  })

  test('in one process end as one', async () => {
    await using at = await openWorkspace()
    for (const [path, text] of Object.entries(FILES)) at.file(path, text)
    await using other = await openIn(at.folder)
    const results = await Promise.all([
      at.memory.compile(at.folder),
      other.compile(at.folder),
      at.memory.compile(join(at.folder, 'sub')),
    ])
    expect(results.reduce((sum, { added }) => sum + added, 0)).toBe(5)
    expect(results.flatMap(({ skipped }) => skipped)).toEqual([])
    await using alone = await openWorkspace(FILES)
    expect(await idsByText(at.memory)).toEqual(await idsByText(alone.memory))
    await expectSound(at.memory)
  })

  test('in two processes end as one', async () => {
    await using at = await openWorkspace()
    for (let n = 0; n < 60; n++) at.file(`f${n}.md`, `# File ${n}\n\nText of file ${n}.\n`)
    const counts = await Promise.all([compileElsewhere(at.folder), compileElsewhere(at.folder)])
    expect(counts[0] + counts[1]).toBe(120)
    expect(flat(await stateOf(at.memory))).toHaveLength(120)
    expect((await at.compile()).snapshot).toBeNull()
    await expectSound(at.memory)
  })
})

test('an explicitly compiled file in a folder that is skipped otherwise stays', async () => {
  await using at = await openWorkspace(FILES)
  mkdirSync(join(at.folder, 'dist'))
  at.file('dist/built.md', 'Built.\n')
  expect((await at.compile()).added).toBe(0)
  await at.memory.compile(join(at.folder, 'dist', 'built.md'))
  expect((await at.compile()).snapshot).toBeNull()
  expect(await outlineOf(at.memory)).toContain('Built.')
  at.remove('dist/built.md')
  expect(await at.memory.compile(join(at.folder, 'dist'))).toMatchObject({ removed: 1 })
})
