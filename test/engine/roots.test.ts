import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createRedactor } from '../../src/ingest/redact/redactor.ts'
import { openSourceFolder } from '../../src/ingest/source-folder.ts'
import { expectSound, idsByText, openIn, openWorkspace, temporaryFolder } from '../support/engine.ts'

describe('a database that lies elsewhere', () => {
  test('knows files by their path below the folder that was compiled', async () => {
    using at = notesBeside({ 'a.md': '# Hello\n\nWorld.\n' })
    await using memory = await openIn(at.db)
    await memory.compile(at.notes)
    expect((await memory.forest()).roots[0]).toMatchObject({ id: 'FC4TQ4IMGIk', source: 'a.md' })
    expect((await memory.files()).roots).toEqual([
      { root: at.notes, files: [{ path: 'a.md', nodes: 2, tokens: 4 }] },
    ])
  })

  test('takes a root that lies inside a new one over, with every node in it', async () => {
    using at = notesBeside({ 'sub/b.md': '# B\n\nIn b.\n', 'a.md': 'In a.\n' })
    await using memory = await openIn(at.db)
    await memory.compile(join(at.notes, 'sub'))
    const before = await idsByText(memory)
    const result = await memory.compile(at.notes)
    expect(result).toMatchObject({ added: 1, modified: 0, removed: 0 })
    expect(await idsByText(memory)).toMatchObject(before)
    expect((await memory.files()).roots).toMatchObject([
      { root: at.notes, files: [{ path: 'a.md' }, { path: 'sub/b.md' }] },
    ])
    expect(await memory.compile(join(at.notes, 'sub'))).toMatchObject({ total: 0 })
    await expectSound(memory)
  })

  test('an erased document of the inner root stays erased', async () => {
    using at = notesBeside({ 'sub/b.md': 'Secret.\n' })
    await using memory = await openIn(at.db)
    const inner = join(at.notes, 'sub')
    await memory.compile(inner)
    await memory.erase({ kind: 'source', root: inner, path: 'b.md' })
    const { skipped } = await memory.compile(at.notes)
    expect(skipped).toMatchObject([{ path: 'sub/b.md', reason: expect.stringContaining('erased') }])
    expect((await memory.forest()).roots).toEqual([])
  })
})

describe('a renamed file', () => {
  test('is the same document: every node keeps its id, and a snapshot records the path of before', async () => {
    await using at = await openWorkspace({ 'a.md': '# A\n\nIn a.\n', 'b.md': 'In b.\n' })
    const before = await idsByText(at.memory)
    mkdirSync(join(at.folder, 'deep'))
    renameSync(join(at.folder, 'a.md'), join(at.folder, 'deep/new.md'))
    const result = await at.compile()
    expect(result).toMatchObject({ total: 0, snapshot: { id: 2 } })
    expect(await idsByText(at.memory)).toEqual(before)
    expect((await at.memory.files()).roots[0]?.files.map(({ path }) => path)).toEqual(['b.md', 'deep/new.md'])
    expect(await at.compile()).toMatchObject({ total: 0 })
    await expectSound(at.memory)
  })

  test('that was also edited is another document', async () => {
    await using at = await openWorkspace({ 'a.md': 'In a.\n' })
    renameSync(join(at.folder, 'a.md'), join(at.folder, 'b.md'))
    expect(await at.compile({ 'b.md': 'In b.\n' })).toMatchObject({ added: 1, removed: 1 })
    await expectSound(at.memory)
  })

  test('whose old name is taken by another text moves, and the other text is new', async () => {
    await using at = await openWorkspace({ 'a.md': 'The first.\n' })
    const before = await idsByText(at.memory)
    renameSync(join(at.folder, 'a.md'), join(at.folder, 'b.md'))
    await at.compile({ 'a.md': 'Something quite different\n' })
    expect((await at.memory.files()).roots[0]?.files).toHaveLength(2)
    expect(Object.keys(await idsByText(at.memory))).toContain('The first.')
    expect(Object.keys(before)).toEqual(['The first.'])
    await expectSound(at.memory)
  })

  test('one of two copies that goes takes only its own nodes', async () => {
    await using at = await openWorkspace({ 'a.md': 'The same.\n', 'b.md': 'The same.\n' })
    at.remove('a.md')
    expect(await at.compile({ 'c.md': 'The same.\n' })).toMatchObject({ total: 0 })
    expect((await at.memory.files()).roots[0]?.files.map(({ path }) => path)).toEqual(['b.md', 'c.md'])
    await expectSound(at.memory)
  })
})

/** A folder of notes, and the file of a database outside it. */
function notesBeside(files: Record<string, string>) {
  const folder = temporaryFolder()
  const notes = join(folder, 'notes')
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(notes, path, '..'), { recursive: true })
    writeFileSync(join(notes, path), text)
  }
  return {
    notes,
    db: join(folder, 'memory.db'),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  }
}

test('a backup that lies elsewhere still means the files of the home it was copied from', async () => {
  await using at = await openWorkspace({ 'a.md': '# A\n\nIn a.\n' })
  const elsewhere = temporaryFolder()
  try {
    const copy = await at.memory.backup(join(elsewhere, 'copy.db'))
    await using memory = await openIn(copy)
    expect((await memory.files()).roots.map(({ root }) => root)).toEqual([at.folder])
    at.file('a.md', '# A\n\nChanged in a.\n')
    expect(await memory.compile(at.folder)).toMatchObject({ added: 0, modified: 1, root: at.folder })
    await expectSound(memory)
  } finally {
    rmSync(elsewhere, { recursive: true })
  }
})

describe('names that were used before', () => {
  test('a file renamed to the name of one that is gone keeps its nodes', async () => {
    await using at = await openWorkspace({ 'a.md': 'In a.\n', 'b.md': 'In b.\n' })
    const { 'In a.': id } = await idsByText(at.memory)
    at.remove('b.md')
    await at.compile()
    renameSync(join(at.folder, 'a.md'), join(at.folder, 'b.md'))
    expect(await at.compile()).toMatchObject({ total: 0 })
    expect(await idsByText(at.memory)).toEqual({ 'In a.': id })
    await at.compile({ 'a.md': 'New in a.\n' })
    await expectSound(at.memory)
  })

  test('files with one text go with their names when their folder is renamed', async () => {
    await using at = await openWorkspace({ 'x/1.md': 'The same.\n', 'x/2.md': 'The same.\n' })
    const sources = async () => (await at.memory.forest()).roots.map(({ id, source }) => [source.at(-4), id])
    const before = await sources()
    renameSync(join(at.folder, 'x'), join(at.folder, 'y'))
    expect(await at.compile()).toMatchObject({ total: 0 })
    expect(await sources()).toEqual(before)
    await expectSound(at.memory)
  })

  test('a file of an inner root is not there twice when the outer one has lost it before', async () => {
    using at = notesBeside({ 'sub/x.md': 'In x.\n' })
    await using memory = await openIn(at.db)
    await memory.compile(at.notes)
    rmSync(join(at.notes, 'sub/x.md'))
    await memory.compile(at.notes)
    writeFileSync(join(at.notes, 'sub/x.md'), 'In x.\n')
    await memory.compile(join(at.notes, 'sub'))
    await memory.compile(at.notes)
    expect((await memory.forest()).roots).toHaveLength(1)
    rmSync(join(at.notes, 'sub/x.md'))
    await memory.compile(at.notes)
    expect((await memory.forest()).roots).toEqual([])
    await expectSound(memory)
  })
})

test('a file that becomes a link to elsewhere after the folder was listed is not read', async () => {
  await using at = await openWorkspace({ 'a.md': 'In a.\n' })
  const outside = join(temporaryFolder(), 'secret.md')
  writeFileSync(outside, 'Not yours.\n')
  const redaction = await createRedactor({})
  const folder = openSourceFolder({ root: at.folder, scope: '', maxNodeTokens: 1000, redaction })
  const [listed] = await folder.list()
  const { path = '', sizeBytes = 0 } = listed ?? {}
  rmSync(join(at.folder, path))
  symlinkSync(outside, join(at.folder, path))
  for await (const loaded of folder.load([{ path, sizeBytes, knownDigest: null }]))
    expect(loaded).toMatchObject({
      digest: null,
      reason: 'was replaced while the folder was read; compile again',
    })
})

test('a root around the home does not make its files exist twice', async () => {
  const outer = temporaryFolder()
  mkdirSync(join(outer, 'home'))
  writeFileSync(join(outer, 'home', 'a.md'), '# A\n')
  writeFileSync(join(outer, 'b.md'), '# B\n')
  await using memory = await openIn(join(outer, 'home'))
  const inner = await memory.compile(join(outer, 'home'))
  expect(inner.added).toBe(1)
  const ids = (await memory.forest()).roots.map(({ id }) => id)
  expect((await memory.compile(outer)).added).toBe(1)
  for (const path of ['home', 'home/a.md', '.'])
    expect((await memory.compile(join(outer, path))).total).toBe(0)
  expect((await memory.forest()).roots.map(({ id }) => id)).toEqual(expect.arrayContaining(ids))
  expect((await memory.overview()).nodes.total).toBe(2)
})
