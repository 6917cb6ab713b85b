import { describe, expect, test } from 'vitest'
import { findLease } from '../../src/core/rows/leases.ts'
import type { LookCompile } from '../../src/runtime/compile/rescan-look.ts'
import { outlineOf } from '../support/engine.ts'
import { openRescan } from '../support/rescan.ts'
import { sourceFolder } from '../support/rescan-source.ts'
import { soon } from '../support/soon.ts'
import { start } from '../support/store-children.ts'

describe('of several processes', () => {
  test('one looks, and all show what it found; another goes on when it stops', async () => {
    const at = sourceFolder({ 'a.md': 'A.\n' })
    const first = await openRescan(at.folder, at.clock)
    await first.idle()
    const second = await openRescan(at.folder, at.clock)
    await second.idle()
    expect(second.metas).toEqual([])
    expect(second.folderWatch.handlers).toEqual([])
    const shown = { interval_s: 30, last_meta: expect.objectContaining({ added: 1 }) }
    expect(await second.rescan.status()).toEqual(shown)
    expect(await first.rescan.status()).toEqual(shown)

    at.file('a.md', 'Changed.\n')
    await second.pass(30_000)
    second.rescan.wake()
    expect(second.timers.delays()).toEqual([30_000])
    expect(second.metas).toEqual([])
    await first.close()
    expect((await second.rescan.status()).last_meta).toMatchObject({ added: 1 })
    await second.pass(30_000)
    expect((await second.rescan.status()).last_meta).toMatchObject({ modified: 1 })
    expect(second.folderWatch.handlers).toHaveLength(1)
  })

  test('another goes on when it is gone without a word, once its lease is over', async () => {
    const at = sourceFolder({ 'a.md': 'A.\n' })
    const gone = await openRescan(at.folder, at.clock)
    await gone.idle()
    const second = await openRescan(at.folder, at.clock)
    await second.idle()
    await second.pass(30_000)
    await second.pass(30_000)
    expect(second.metas).toEqual([])
    await second.pass(30_000)
    expect(second.metas).toHaveLength(1)
    await gone.pass(1)
    expect(gone.metas).toHaveLength(1)
    expect((await gone.rescan.status()).last_meta.run_at).toBe(second.metas[0]?.run_at)
  })

  test('one that takes over leaves alone what is being written', async () => {
    const at = sourceFolder({ 'a.md': 'A.\n' })
    const first = await openRescan(at.folder, at.clock)
    await first.idle()
    const second = await openRescan(at.folder, at.clock)
    await second.idle()
    await first.close()
    at.clock.now += 30_000
    at.file('a.md', 'Half', 0)
    second.timers.fire()
    await soon(second.timers.delays).toEqual([500])
    expect(await outlineOf(second.memory)).toEqual(['A.'])
  })

  test('that are real ones one looks, and the other takes over', { timeout: 120_000 }, async () => {
    const at = sourceFolder({ 'a.md': 'A.\n' })
    const first = start('rescan', { file: at.folder })
    expect(await first.next()).toBe('looked {"added":1,"modified":0,"removed":0}')
    const second = start('rescan', { file: at.folder })
    expect(await second.next()).toBe('waits')
    at.file('b.md', 'B.\n')
    expect(await first.next()).toBe('looked {"added":1,"modified":0,"removed":0}')
    first.tell()
    expect(await first.next()).toBe('stopped')
    await first.ended()
    at.file('b.md', 'B, changed.\n')
    expect(await second.next()).toBe('looked {"added":0,"modified":1,"removed":0}')
    at.remove('a.md')
    expect(await second.next()).toBe('looked {"added":0,"modified":0,"removed":1}')
    second.tell()
    expect(await second.next()).toBe('stopped')
    await second.ended()
  })
})

describe('a look that takes long', () => {
  /** A compile that goes on until it is given up or let go. */
  function slowCompile() {
    const done = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    const compile: LookCompile = async (_path, { signal }) => {
      begun.resolve()
      const aborted = new Promise<never>((_, reject) =>
        signal?.addEventListener('abort', () => reject(signal.reason)),
      )
      await Promise.race([done.promise, aborted])
      const counts = {
        added: 1,
        modified: 0,
        removed: 0,
        total: 1,
        purged: [],
        skipped: [],
        warnings: [],
        unread: {},
        unsettled: 0,
      }
      return { ...counts, files: { seen: 1, changed: 1, removed: 0 } }
    }
    return { compile, begun: begun.promise, done: done.resolve }
  }

  test('keeps the job, and no other begins meanwhile', async () => {
    const at = sourceFolder({})
    const slow = slowCompile()
    const first = await openRescan(at.folder, at.clock, { compile: slow.compile })
    await slow.begun
    for (let renewal = 0; renewal < 6; renewal++) {
      await soon(first.timers.delays).toEqual([25_000])
      at.clock.now += 25_000
      first.timers.fire()
    }
    first.rescan.wake()
    const held = () => first.engine.store.read((tx) => findLease(tx, 'rescan', at.clock.now))
    await soon(async () => (await held())?.expiresAt).toBe(at.clock.now + 75_000)
    const second = await openRescan(at.folder, at.clock)
    await second.idle()
    expect(second.metas).toEqual([])
    slow.done()
    await soon(() => first.metas).toHaveLength(1)
  })

  test('is given up by stopping, tells nothing, and leaves the job to another', async () => {
    const at = sourceFolder({ 'a.md': 'A.\n' })
    const slow = slowCompile()
    const first = await openRescan(at.folder, at.clock, { compile: slow.compile })
    await slow.begun
    await first.rescan.stop()
    expect(first.timers.delays()).toEqual([])
    expect(first.metas).toEqual([])
    expect(first.warnings()).toEqual([])
    const second = await openRescan(at.folder, at.clock)
    await second.idle()
    expect(second.metas).toHaveLength(1)
  })

  test('and is given up while it compiles stores nothing', async () => {
    const files = Array.from({ length: 300 }, (_, at) => [`${at}.md`, `# File ${at}\n\nText.\n`])
    const at = sourceFolder(Object.fromEntries(files))
    const run = await openRescan(at.folder, at.clock)
    await run.rescan.stop()
    expect((await run.memory.overview()).nodes.total).toBe(0)
    expect(run.metas).toEqual([])
  })
})
