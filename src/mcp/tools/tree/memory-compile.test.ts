import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { idsOf, openTools } from '../../../../test/support/hands.ts'
import { DEFAULT_CHARACTERS } from '../../../core/find/budget.ts'
import type { Hands } from '../../hands.ts'
import { memoryCompile } from './memory-compile.ts'

const FILES = { 'a.md': '# A\n\nText.\n' }

describe('MemoryCompile', () => {
  test('brings the memory to what the files say, and tells the snapshot', async () => {
    await using at = await openTools(FILES)
    at.file('a.md', '# A\n\nOther text.\n\nMore.\n')
    const { text, structured } = await at.call('MemoryCompile', {
      path: join(at.folder, 'a.md'),
      message: 'again',
    })
    expect(text).toBe(
      'compiled: 1 added, 1 modified, 0 removed (2 ops); snapshot 2\nfiles: 1 seen, 1 changed, 0 removed',
    )
    expect(structured).toMatchObject({
      root: at.folder,
      added: 1,
      modified: 1,
      removed: 0,
      total: 2,
      files: { seen: 1, changed: 1, removed: 0 },
      skipped: [],
      conflicts: [],
      snapshot_id: 2,
    })
    expect((await at.memory.snapshots())[0]?.message).toBe('again')
    expect(await at.text('MemoryCompile', { path: at.folder })).toBe(
      'compiled: 0 added, 0 modified, 0 removed (0 ops); no new snapshot: the memory says so already\nfiles: 1 seen, 0 changed, 0 removed',
    )
  })

  test('says which files it skipped, and where a file won over an agent', async () => {
    await using at = await openTools(FILES)
    const id = (await idsOf(at.memory))['Text.']
    await at.call('MemoryWrite', { payload: 'Edited.', id: id })
    at.file('a.md', '# A\n\nText, by hand.\n')
    at.file('bad.json', '{\n')
    const { text, structured } = await at.call('MemoryCompile', { path: at.folder })
    expect(text.split('\n')).toEqual([
      'compiled: 0 added, 1 modified, 0 removed (1 op); snapshot 3',
      'files: 2 seen, 1 changed, 0 removed',
      'skipped: 1 file that could not be read',
      `conflict: a.md: the file changed under your write of node ${id}: the file won; MemoryHistory of ${id} shows what it was`,
      expect.stringMatching(/^ {2}bad\.json:\d+: /),
    ])
    expect(structured.conflicts).toEqual([{ node_id: id, operation: 'write', kind: 'changed', path: 'a.md' }])
    expect(structured.skipped).toMatchObject([{ path: 'bad.json' }])
  })

  test('lists as many skipped files as an answer holds, and says how to see the others', async () => {
    const bad = Array.from({ length: 200 }, (_, at) => [`bad-${at}.json`, '{\n'])
    await using at = await openTools({ ...FILES, ...Object.fromEntries(bad) })
    const text = await at.text('MemoryCompile', { path: at.folder })
    expect(text.length).toBeLessThanOrEqual(DEFAULT_CHARACTERS)
    const lines = text.split('\n')
    const listed = lines.filter((line) => line.startsWith('  bad-')).length
    expect(listed).toBeGreaterThan(50)
    expect(lines.at(-1)).toBe(`… ${200 - listed} more lines: MemoryCompile a folder below`)
    at.file('a.md', '# A\n\nOther.\n')
    expect((await at.text('MemoryCompile', { path: at.folder })).split('\n').at(-1)).toMatch(
      /; every change: MemoryDelta since_snapshot=1$/,
    )
  })

  test('that takes too long says how far it is, and how to go on', async () => {
    const hands = { compile: async () => ({ compiling: { phase: 'write', done: 200, total: 1000 } }) }
    const context = { hands: hands as unknown as Hands, isCompiling: false, meta: {} }
    const { signal } = new AbortController()
    const { text, structured } = await memoryCompile.call({ ...context, signal }, { path: 'notes' })
    expect(text).toMatch(/^still compiling: 600 of 1,000 files\. .*call MemoryCompile with the same path/)
    expect(structured).toEqual({ compiling: { done: 600, total: 1000 } })
  })

  test('is given up when nobody waits for it', async () => {
    await using at = await openTools()
    at.file('a.md', '# A\n')
    const given = AbortSignal.abort(new Error('gone'))
    await expect(at.call('MemoryCompile', { path: at.folder }, given)).rejects.toThrow('gone')
    expect(await at.memory.snapshots()).toEqual([])
  })

  test('of a path that is not there says so', async () => {
    await using at = await openTools()
    await expect(at.call('MemoryCompile', { path: join(at.folder, 'nowhere') })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })
})
