import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { expectSound, openIn, temporaryFolder } from '../support/engine.ts'
import { openFiles } from '../support/files.ts'

describe('files are part of the one memory:', () => {
  test('what is appended is found by search, with the path it is in', async () => {
    await using at = await openFiles()
    await at.append('/garden/log', '# Garden\n\nThe quince was pruned.')
    await at.append('/garden/log', 'The medlar was watered.')
    const { hits } = await at.memory.search({ query: 'medlar' })
    expect(hits).toMatchObject([{ path: 'file:memory/garden/log' }])
  })

  test('a link in one leads to a heading in another', async () => {
    await using at = await openFiles()
    await at.append('/a', 'See [[Quince]].')
    await at.append('/b', '# Quince\n\nHard and sour.')
    expect((await at.memory.graph()).edges).toHaveLength(1)
  })

  test('a rollback brings back what was replaced, appended to and deleted', async () => {
    await using at = await openFiles()
    await at.append('/d/kept', 'one')
    await at.append('/d/kept', 'two')
    await at.append('/d/gone', 'three')
    const before = await at.files.dump()
    const { id } = (await at.memory.snapshots())[0] ?? { id: 0 }
    await at.append('/d/kept', 'four')
    await at.run({ path: '/d/kept', command: 'update', oldContent: 'one\ntwo', content: 'five' })
    await at.run({ path: '/d/gone', command: 'delete' })
    await at.append('/e/new', 'six')
    await at.memory.rollback({ snapshotId: id })
    expect(await at.files.dump()).toEqual(before)
    await at.append('/d/kept', 'seven')
    expect(await at.read('/d/kept')).toBe('one\ntwo\nseven')
    await expectSound(at.memory)
  })

  test('one that is erased is nowhere any more, and its path is free', async () => {
    await using at = await openFiles()
    for (const word of ['quincunx', 'medlarity', 'sorbusious']) await at.append('/d/secret', word)
    await at.run({ path: '/d/secret', command: 'update', oldContent: 'quincunx', content: 'cydoniana' })
    const address = { kind: 'file', node: 'memory', scope: 'global', thread: '' } as const
    await at.memory.erase({ ...address, path: '/d/secret' })
    expect(await at.read('/d/secret')).toBe('ENOENT')
    const bytes = readdirSync(join(at.folder, '.remindb'))
      .map((name) => readFileSync(join(at.folder, '.remindb', name), 'latin1').toLowerCase())
      .join('')
    for (const word of ['quincunx', 'medlarity', 'sorbusious', 'cydoniana']) expect(bytes).not.toContain(word)
    await at.append('/d/secret', 'harmless')
    expect(await at.read('/d/secret')).toBe('harmless')
    await expectSound(at.memory)
  })

  test('an export has them, with all that was appended', async () => {
    await using at = await openFiles()
    await at.append('/a/b', '# One\n\ntext')
    for (const line of ['two', '', ' three ', '## Four\n']) await at.append('/a/b', line)
    const pieces: string[] = []
    await at.memory.export((piece) => void pieces.push(piece))
    await using other = await openIn(temporaryFolder())
    await other.import(Readable.from([Buffer.from(pieces.join(''))]))
    const files = other.memoryNode({ id: 'memory', scope: 'global' }).getMemoryService()
    expect(await files.dump()).toEqual(await at.files.dump())
    await files.append('/a/b', 'five')
    expect(await files.read('/a/b')).toMatch(/## Four\nfive$/)
    await expectSound(other)
  })

  test('appends at the same time all arrive, each on its line', async () => {
    await using at = await openFiles()
    await using second = await openIn(at.folder)
    const other = second.memoryNode({ id: 'memory', scope: 'global' }).getMemoryService()
    const lines = Array.from({ length: 20 }, (_, i) => `line ${i}`)
    await Promise.all(
      lines.map((line, i) => (i % 2 === 0 ? at.append('/d/f', line) : other.append('/d/f', line))),
    )
    expect((await at.read('/d/f')).split('\n').sort()).toEqual([...lines].sort())
    await expectSound(at.memory)
  })

  test('a folder whose own document is erased is there as long as something is in it', async () => {
    await using at = await openFiles()
    await at.append('/d/e/f', 'x')
    const address = { kind: 'file', node: 'memory', scope: 'global', thread: '' } as const
    await at.memory.erase({ ...address, path: '/d' })
    expect(await at.files.list('/')).toEqual([{ name: 'd', kind: 'dir' }])
    expect(await at.files.stat('/d')).toEqual({ kind: 'dir', size: 0 })
    expect(await at.append('/d', 'x')).toMatchObject({ error: { code: 'EISDIR' } })
    expect(await at.run({ path: '/d', command: 'delete' })).toMatchObject({ result: { files: 1, dirs: 1 } })
    expect(await at.files.stat('/d')).toEqual({ kind: 'none', size: 0 })
  })
})
