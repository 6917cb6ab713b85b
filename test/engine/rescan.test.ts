import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { LookCompile } from '../../src/runtime/compile/rescan-look.ts'
import { expectSound, idOf, outlineOf } from '../support/engine.ts'
import { listen } from '../support/feed.ts'
import { openRescan } from '../support/rescan.ts'
import { sourceFolder } from '../support/rescan-source.ts'

const HOUR = 3_600_000
const NEVER = { run_at: 0, error: '', added: 0, modified: 0, removed: 0, purged_files: [] }

describe('a rescan', () => {
  test('looks at once and at every interval: what came, changed and went', async () => {
    const at = sourceFolder({ 'a.md': '# A\n\nOne.\n', 'b.md': 'B.\n' })
    const run = await openRescan(at.folder, at.clock)
    expect(await run.rescan.status()).toEqual({ interval_s: 0, last_meta: NEVER })
    await run.idle()
    const runAt = Math.floor(at.clock.now / 1000)
    expect(await run.rescan.status()).toEqual({
      interval_s: 30,
      last_meta: { ...NEVER, run_at: runAt, added: 3 },
    })
    expect(run.timers.delays()).toEqual([30_000])
    at.file('a.md', '# A\n\nTwo.\n')
    at.file('sub/c.md', 'C.\n')
    at.remove('b.md')
    await run.pass(30_000)
    expect(await run.rescan.status()).toEqual({
      interval_s: 30,
      last_meta: {
        run_at: runAt + 30,
        error: '',
        added: 1,
        modified: 1,
        removed: 1,
        purged_files: [{ path: 'b.md', nodes: 1 }],
      },
    })
    expect(await outlineOf(run.memory)).toEqual(['A', '  Two.', 'C.'])
    await run.pass(30_000)
    expect((await run.rescan.status()).last_meta).toEqual({ ...NEVER, run_at: runAt + 60 })
    expect(run.metas.map(({ added, modified, removed }) => [added, modified, removed])).toEqual([
      [3, 0, 0],
      [1, 1, 1],
      [0, 0, 0],
    ])
    expect((await run.memory.snapshots()).map(({ message }) => message)).toEqual(['rescan', 'initial'])
    expect(run.warnings()).toEqual([])
    await expectSound(run.memory)
  })

  test('purges what was deleted while nothing ran, and reads nothing again that did not change', async () => {
    const at = sourceFolder({ 'a.md': 'A.\n', 'b.md': 'B.\n', 'c.md': 'C.\n' })
    const first = await openRescan(at.folder, at.clock)
    await first.idle()
    await first.close()
    at.remove('b.md')
    at.clock.now += HOUR
    let read = -1
    const second = await openRescan(at.folder, at.clock, {})
    await second.idle()
    expect((await second.rescan.status()).last_meta).toMatchObject({
      removed: 1,
      purged_files: [{ path: 'b.md', nodes: 1 }],
    })
    await second.memory.compile(at.folder, {
      onProgress: ({ phase, total }) => {
        if (phase === 'read') read = total
      },
    })
    expect(read).toBe(0)
    expect(await second.memory.snapshots()).toHaveLength(2)
  })

  test('tells every process of a look that found something, and of no other', async () => {
    const at = sourceFolder({ 'a.md': 'A.\n' })
    const run = await openRescan(at.folder, at.clock)
    await run.idle()
    const heard = listen(run.engine)
    await run.pass(30_000)
    at.file('a.md', 'A, changed.\n')
    await heard.until('update')
    expect(heard.batches.flat()).not.toContain('rescan')
    await run.pass(30_000)
    expect(new Set(await heard.until('rescan'))).toEqual(new Set(['update', 'compile', 'rescan']))
  })

  test('is not confused by compiles of others', async () => {
    const at = sourceFolder({ 'a.md': '# A\n', 'sub/b.md': '# B\n' })
    const run = await openRescan(at.folder, at.clock)
    await run.idle()
    const id = await idOf(run.memory, 'A')
    at.file('a.md', '# A\n\nMore.\n')
    expect((await run.memory.compile(join(at.folder, 'a.md'))).added).toBe(1)
    await run.memory.compile(join(at.folder, 'sub'))
    const elsewhere = sourceFolder({ 'c.md': 'C.\n' })
    await run.memory.compile(elsewhere.folder)
    await run.pass(30_000)
    expect((await run.rescan.status()).last_meta).toMatchObject({ ...NEVER, run_at: expect.any(Number) })
    renameSync(join(at.folder, 'a.md'), join(at.folder, 'sub/a.md'))
    await run.pass(30_000)
    expect(await idOf(run.memory, 'A')).toBe(id)
    expect((await run.rescan.status()).last_meta.purged_files).toEqual([])
    await expectSound(run.memory)
  })
})

describe('a look that fails', () => {
  test('tells why, purges nothing, warns once, and the next one is tried', async () => {
    const at = sourceFolder({ 'notes/a.md': 'A.\n' })
    const folder = join(at.folder, 'notes')
    const run = await openRescan(at.folder, at.clock, { sourceRoot: folder })
    await run.idle()
    renameSync(folder, join(at.folder, 'away'))
    await run.pass(30_000)
    const failed = await run.rescan.status()
    expect(failed.last_meta).toEqual({
      ...NEVER,
      run_at: Math.floor(at.clock.now / 1000),
      error: `there is no file or folder ${folder}`,
    })
    await run.pass(30_000)
    expect(run.warnings()).toMatchObject([{ message: 'rescan: failed' }])
    renameSync(join(at.folder, 'away'), folder)
    await run.pass(30_000)
    expect((await run.rescan.status()).last_meta).toMatchObject({ error: '', removed: 0 })
    expect(await outlineOf(run.memory)).toEqual(['A.'])
    expect(run.metas).toHaveLength(4)
  })

  test('with an error of the system says no more than its code', async () => {
    const at = sourceFolder({ 'a.md': 'A.\n' })
    const compile = async () => {
      throw Object.assign(new Error('secret words'), { code: 'EMFILE' })
    }
    const run = await openRescan(at.folder, at.clock, { compile })
    await run.idle()
    const { error } = (await run.rescan.status()).last_meta
    expect(error).toBe('the look failed (EMFILE); it is tried again')
    expect(JSON.stringify(run.records)).not.toContain('secret words')
  })

  test('because of one file is none: the others are compiled, and it is told once', async () => {
    const at = sourceFolder({ 'a.md': 'A.\n', 'bad.json': '{ "a": ' })
    const run = await openRescan(at.folder, at.clock)
    await run.idle()
    await run.pass(30_000)
    expect((await run.rescan.status()).last_meta).toMatchObject({ error: '' })
    expect(run.warnings()).toEqual([
      {
        level: 'WARN',
        message: 'rescan: file skipped',
        fields: expect.objectContaining({ path: 'bad.json' }),
      },
    ])
    at.file('bad.json', '{ "a": 1,, }')
    await run.pass(30_000)
    expect(run.warnings()).toHaveLength(2)
  })

  test('to be kept in a history of looks does not end the looks', async () => {
    const at = sourceFolder({ 'a.md': 'A.\n' })
    const rescanLog = () => Promise.reject(new Error('disk full'))
    const run = await openRescan(at.folder, at.clock, { rescanLog })
    await run.idle()
    await run.pass(30_000)
    expect(run.warnings().map(({ message }) => message)).toContain('rescan: failed to store the result')
  })
})

describe('a source folder that is gone', () => {
  test.each([
    ['moved away', (folder: string) => renameSync(folder, `${folder}-away`)],
    [
      'the empty place of a disk that is not mounted',
      (folder: string) => {
        renameSync(folder, `${folder}-away`)
        mkdirSync(folder)
      },
    ],
    [
      'a file now',
      (folder: string) => {
        renameSync(folder, `${folder}-away`)
        writeFileSync(folder, 'no folder')
      },
    ],
  ])('is not one whose files were all deleted: %s', async (_how, leave) => {
    const { folder, clock } = sourceFolder({ 'a.md': '# A\n\nKept.\n' })
    onTestFinished(() => rmSync(`${folder}-away`, { recursive: true, force: true }))
    const { memory, rescan, pass, idle } = await openRescan(folder, clock)
    await idle()
    leave(folder)
    await pass(30_000)
    const { last_meta } = await rescan.status()
    expect(last_meta.error).toMatch(/Nothing was removed|there is no file or folder/)
    expect(last_meta.purged_files).toEqual([])
    expect((await memory.overview()).nodes.total).toBe(2)
    rmSync(folder, { recursive: true, force: true })
    renameSync(`${folder}-away`, folder)
    await pass(30_000)
    expect((await rescan.status()).last_meta).toMatchObject({ error: '', removed: 0, added: 0 })
  })
})

test('the first look shows how far it is, later ones do not', async () => {
  const at = sourceFolder({ 'a.md': 'A.\n', 'b.md': 'B.\n' })
  const seen: unknown[] = []
  const looking = Promise.withResolvers<void>()
  const compile: LookCompile = async (path, options) => {
    options.onProgress?.({ phase: 'read', done: 1, total: 2 })
    looking.resolve()
    await held.promise
    seen.push(options.onProgress)
    return process.memory.compile(path, options)
  }
  const held = Promise.withResolvers<void>()
  const process = await openRescan(at.folder, at.clock, { compile })
  await looking.promise
  expect(process.rescan.progress()).toEqual({ phase: 'read', done: 1, total: 2 })
  held.resolve()
  await process.rescan.looked
  expect(process.rescan.progress()).toBeUndefined()
  await process.idle()
  await process.pass(30_000)
  expect(seen).toEqual([expect.any(Function), undefined])
})
