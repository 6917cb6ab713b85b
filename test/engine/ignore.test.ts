import { mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { expectSound, idsByText, openWorkspace, outlineOf } from '../support/engine.ts'
import { factsIn, LATER } from '../support/engine-files.ts'

const FILES = { 'a.md': 'In a.\n', 'drafts/b.md': 'In b.\n', 'sub/c.md': 'In c.\n' }

describe('the ignore file', () => {
  test('takes away what it leaves out now, and gives it back as it was', async () => {
    await using at = await openWorkspace(FILES, LATER)
    const before = await idsByText(at.memory)
    at.file('.remindb/ignore', 'drafts/   # not yet\n')
    expect(await at.compile()).toMatchObject({ removed: 1, skipped: [], files: { seen: 2, removed: 1 } })
    expect(await outlineOf(at.memory)).toEqual(['In a.', 'In c.'])
    expect(factsIn(at.memory)).toEqual(['. a.md', '. sub/c.md'])
    at.remove('.remindb/ignore')
    expect(await at.compile()).toMatchObject({ added: 1 })
    expect(await idsByText(at.memory)).toEqual(before)
    await expectSound(at.memory)
  })

  test('of the root holds for a part of it too', async () => {
    await using at = await openWorkspace(FILES, LATER)
    at.file('.remindb/ignore', 'c.md\n')
    expect(await at.memory.compile(join(at.folder, 'sub'))).toMatchObject({ removed: 1, skipped: [] })
    at.file('sub/.remindb/ignore', '*\n')
    at.file('sub/d.md', 'In d.\n')
    expect(await at.memory.compile(join(at.folder, 'sub'))).toMatchObject({ added: 1 })
  })

  test.each(['drafts/b.md', 'drafts'])('says why %s is left out though it was named', async (scope) => {
    await using at = await openWorkspace({ 'a.md': 'In a.\n' })
    at.file('drafts/b.md', 'In b.\n')
    at.file('.remindb/ignore', '# later\ndrafts/\n')
    const result = await at.memory.compile(join(at.folder, scope))
    expect(result).toMatchObject({ total: 0, files: { seen: 0 } })
    expect(result.skipped).toEqual([
      { path: scope, line: null, reason: 'is ignored by .remindb/ignore, line 2' },
    ])
  })

  test('that means nothing stops the compile before anything changed', async () => {
    await using at = await openWorkspace(FILES)
    at.file('.remindb/ignore', 'ok.md\n\nbroken[\n')
    at.remove('a.md')
    await expect(at.compile()).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringMatching(/^\.remindb\/ignore line 3: the pattern "broken\[" /),
    })
    expect(await outlineOf(at.memory)).toContain('In a.')
  })

  test('holds for a link to what it leaves out', async () => {
    await using at = await openWorkspace(FILES)
    symlinkSync('drafts/b.md', join(at.folder, 'link.md'))
    // One document, whatever names it has.
    expect((await at.compile()).added).toBe(0)
    at.file('.remindb/ignore', 'drafts/\n')
    expect(await at.compile()).toMatchObject({ removed: 1, added: 0, skipped: [] })
    await expectSound(at.memory)
  })
})

describe('what is gone', () => {
  test('is taken away also when nothing is left', async () => {
    await using at = await openWorkspace(FILES)
    for (const path of ['a.md', 'drafts', 'sub']) at.remove(path)
    expect(await at.compile()).toMatchObject({ removed: 3, files: { seen: 0, removed: 3 } })
    expect(await outlineOf(at.memory)).toEqual([])
    await expectSound(at.memory)
  })

  test('is taken away also from a folder that is skipped, once its file is', async () => {
    await using at = await openWorkspace(FILES)
    at.file('vendor/x.md', 'In x.\n')
    at.file('vendor/y.md', 'In y.\n')
    await at.memory.compile(join(at.folder, 'vendor/x.md'))
    await at.memory.compile(join(at.folder, 'vendor/y.md'))
    at.remove('vendor/x.md')
    expect(await at.compile()).toMatchObject({ removed: 1 })
    expect(await outlineOf(at.memory)).toContain('In y.')
    rmSync(join(at.folder, 'vendor'), { recursive: true })
    expect(await at.compile()).toMatchObject({ removed: 1 })
    await expectSound(at.memory)
  })

  test('is taken away when a folder has its name now', async () => {
    await using at = await openWorkspace(FILES)
    at.remove('a.md')
    mkdirSync(join(at.folder, 'a.md'))
    at.file('a.md/inner.md', 'Inside.\n')
    expect(await at.compile()).toMatchObject({ added: 1, removed: 1 })
    await expectSound(at.memory)
  })
})
