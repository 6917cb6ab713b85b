import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { idsOf, openTools } from '../../../../test/support/agent-memory.ts'
import { DEFAULT_CHARACTERS } from '../../../core/find/budget.ts'
import type { AgentMemory } from '../../model/agent-memory.ts'
import { memoryCompile } from './memory-compile.ts'

const FILES = { 'a.md': '# A\n\nText.\n' }
const UNCHANGED = {
  ...{ root: '/notes', added: 0, modified: 0, removed: 0, total: 0, overlays: 0, snapshot: null },
  files: { seen: 0, changed: 0, removed: 0 },
  ...{ warnings: [], unread: {}, conflicts: [], redactions: {} },
}

describe('MemoryCompile', () => {
  test('updates the memory from the files, and names the snapshot', async () => {
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
      'compiled: 0 added, 0 modified, 0 removed (0 ops); no new snapshot: content unchanged\nfiles: 1 seen, 0 changed, 0 removed',
    )
  })

  test('lists the skipped files, and the conflicts that a file won', async () => {
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

  test('lists as many skipped files as an answer holds, counts the others, and says how to see why', async () => {
    const bad = Array.from({ length: 200 }, (_, at) => [
      `bad-${at}.json`,
      at % 50 === 49 ? '{"a": x}\n' : '{\n',
    ])
    await using at = await openTools({ ...FILES, ...Object.fromEntries(bad) })
    const text = await at.text('MemoryCompile', { path: at.folder })
    expect(text.length).toBeLessThanOrEqual(DEFAULT_CHARACTERS)
    const lines = text.split('\n')
    const listed = lines.filter((line) => line.startsWith('  bad-')).length
    expect(listed).toBeGreaterThan(50)
    const counts = lines.flatMap((line) => /^… (\d+) more: \D/.exec(line)?.[1] ?? []).map(Number)
    expect(counts).toHaveLength(2)
    expect(counts.reduce((sum, count) => sum + count)).toBe(200 - listed)
    expect(lines.at(-1)).toBe('… MemoryCompile path=<one of these files> names its problem')
    const left = bad.map(([name = '']) => name).find((name) => !text.includes(`  ${name}:`))
    expect(await at.text('MemoryCompile', { path: join(at.folder, left ?? '') })).toMatch(
      new RegExp(`^  ${left}:\\d+: `, 'm'),
    )
  })

  test('has a few reasons when there are many, and counts the others', async () => {
    const memory = {
      compile: async () => ({
        ...UNCHANGED,
        skipped: Array.from({ length: 300 }, (_, n) => ({
          path: `${n}.md`,
          line: 1,
          reason: `${'r'.repeat(500)}${n}`,
        })),
      }),
    }
    const context = { memory: memory as unknown as AgentMemory, isCompiling: false, meta: {} }
    const { text } = await memoryCompile.call(
      { ...context, signal: new AbortController().signal },
      { path: '.' },
    )
    expect(text.length).toBeLessThanOrEqual(DEFAULT_CHARACTERS)
    expect(text).toMatch(/\n… \d+ more for other reasons\n… MemoryCompile path=<[^\n]*$/)
  })

  test('refers to the other conflicts if there are many', async () => {
    const paragraphs = (word: string) =>
      Array.from({ length: 80 }, (_, n) => `Text ${n}${word}.`).join('\n\n')
    await using at = await openTools({ 'a.md': `# A\n\n${paragraphs('')}\n` })
    const ids = Object.entries(await idsOf(at.memory)).filter(([label]) => label.startsWith('Text'))
    for (const [label, id] of ids) await at.memory.write({ anchor: id, payload: `${label} Edited.` })
    at.file('a.md', `# A\n\n${paragraphs(' by hand')}\n`)
    const text = await at.text('MemoryCompile', { path: at.folder })
    expect(text.length).toBeLessThanOrEqual(DEFAULT_CHARACTERS)
    const listed = text.match(/^conflict: /gm)?.length ?? 0
    expect(text.split('\n').at(-1)).toBe(
      `… ${80 - listed} more conflicts; every change: MemoryDelta since_snapshot=81`,
    )
  })

  test('does not claim that nothing changed if nothing could be read', async () => {
    await using at = await openTools({ 'bad.json': '{\n' })
    expect((await at.text('MemoryCompile', { path: at.folder })).split('\n')[0]).toBe(
      'compiled: 0 added, 0 modified, 0 removed (0 ops); no new snapshot',
    )
  })

  test('that takes too long says how far it is, and how to go on', async () => {
    const memory = { compile: async () => ({ compiling: { phase: 'write', done: 200, total: 1000 } }) }
    const context = { memory: memory as unknown as AgentMemory, isCompiling: false, meta: {} }
    const { signal } = new AbortController()
    const { text, structured, meta } = await memoryCompile.call({ ...context, signal }, { path: 'notes' })
    expect(text).toMatch(/^still compiling: 600 of 1,000 files\. .*call MemoryCompile with the same path/)
    expect(structured).toEqual({ compiling: { done: 600, total: 1000 } })
    expect(meta).toEqual({ 'remindb/compiling': { done: 600, total: 1000 } })
  })

  test('is aborted when the caller no longer waits', async () => {
    await using at = await openTools()
    at.file('a.md', '# A\n')
    const given = AbortSignal.abort(new Error('gone'))
    await expect(at.call('MemoryCompile', { path: at.folder }, given)).rejects.toThrow('gone')
    expect(await at.memory.snapshots()).toEqual([])
  })

  test('of a missing path is an error that names it', async () => {
    await using at = await openTools()
    await expect(at.call('MemoryCompile', { path: join(at.folder, 'nowhere') })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })
})
