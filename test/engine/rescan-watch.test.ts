import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createFolderWatcher } from '../../src/runtime/compile/watch-folder.ts'
import { outlineOf } from '../support/engine.ts'
import { manualWatch, openRescan } from '../support/rescan.ts'
import { sourceFolder } from '../support/rescan-source.ts'
import { soon } from '../support/soon.ts'

test('a change on disk wakes it before the interval is over', async () => {
  const at = sourceFolder({ 'a.md': 'A.\n' })
  const watch = createFolderWatcher(join(at.folder, '.remindb', 'memory.db'))
  const ready = Promise.withResolvers<void>()
  const run = await openRescan(at.folder, at.clock, {
    async watch(folder, handlers) {
      const stop = await watch(folder, handlers)
      ready.resolve()
      return stop
    },
  })
  await run.idle()
  await ready.promise
  expect(run.timers.delays()).toEqual([30_000])
  at.file('sub/b.md', 'B.\n')
  await soon(run.timers.delays).toEqual([500])
  await run.pass(500)
  expect(await outlineOf(run.memory)).toEqual(['A.', 'B.'])
})

test('where nothing can be watched it says so once and looks at every interval', async () => {
  const at = sourceFolder({ 'a.md': 'A.\n' })
  let tried = 0
  const watch = async () => {
    tried++
    throw new Error('No space left on device')
  }
  const run = await openRescan(at.folder, at.clock, { watch })
  await run.idle()
  await run.pass(30_000)
  expect(tried).toBe(1)
  expect(run.warnings()).toEqual([
    {
      level: 'WARN',
      message: 'rescan: cannot watch the source, scanning at intervals only',
      fields: { err: 'No space left on device' },
    },
  ])
  at.file('a.md', 'Changed.\n')
  await run.pass(30_000)
  expect(await outlineOf(run.memory)).toEqual(['Changed.'])
})

test('a source that was gone is watched again when it is back', async () => {
  const at = sourceFolder({ 'notes/a.md': 'A.\n' })
  const folder = join(at.folder, 'notes')
  const folderWatch = manualWatch()
  const run = await openRescan(at.folder, at.clock, { sourceRoot: folder, watch: folderWatch.watch })
  await run.idle()
  renameSync(folder, join(at.folder, 'away'))
  folderWatch.handlers[0]?.onLost()
  await soon(folderWatch.stops).toBe(1)
  await run.pass(500)
  expect((await run.rescan.status()).last_meta.error).toContain('there is no file or folder')
  renameSync(join(at.folder, 'away'), folder)
  await run.pass(30_000)
  expect((await run.rescan.status()).last_meta).toMatchObject({ error: '', removed: 0 })
  expect(folderWatch.handlers.length).toBeGreaterThan(1)
  await run.close()
  expect(folderWatch.stops()).toBe(folderWatch.handlers.length)
})
