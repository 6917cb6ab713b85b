import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findLease } from '../../src/core/rows/leases.ts'
import type { LookCompile } from '../../src/runtime/compile/rescan-look.ts'
import { openLiveConfig } from '../../src/runtime/settings/live-config.ts'
import { rescanSettingsOf } from '../../src/runtime/settings/rescan-settings.ts'
import { outlineOf } from '../support/engine.ts'
import { openRescan, SETTINGS } from '../support/rescan.ts'
import { sourceFolder } from '../support/rescan-source.ts'
import { soon } from '../support/soon.ts'

const HOUR = 3_600_000

/** A compile that finds nothing, or what `others` say, and takes `tookMs`. */
function stubCompile(clock: { now: number }, others: { tookMs?: number; unsettled?: number } = {}) {
  const asked: { message?: string; settleMs?: number }[] = []
  const compile: LookCompile = async (_path, { message, settleMs }) => {
    asked.push({ ...(message ? { message } : {}), ...(settleMs === undefined ? {} : { settleMs }) })
    clock.now += others.tookMs ?? 0
    const counts = {
      added: 0,
      modified: 0,
      removed: 0,
      total: 0,
      purged: [],
      skipped: [],
      warnings: [],
      unread: {},
    }
    return { ...counts, unsettled: others.unsettled ?? 0, files: { seen: 0, changed: 0, removed: 0 } }
  }
  return { asked, compile, others }
}

describe('a change that is noticed', () => {
  test('is looked at once it has been quiet for the time to settle', async () => {
    const at = sourceFolder({ 'a.md': 'A.\n' })
    const run = await openRescan(at.folder, at.clock)
    await run.idle()
    at.file('a.md', 'Half.\n', 0)
    run.folderWatch.change()
    expect(run.timers.delays()).toEqual([500])
    at.clock.now += 400
    at.file('a.md', 'Whole.\n', 0)
    run.folderWatch.change()
    expect(run.timers.delays()).toEqual([500])
    await run.pass(500)
    expect(await outlineOf(run.memory)).toEqual(['Whole.'])
    expect(run.timers.delays()).toEqual([30_000])
  })

  test('does not put off the look that is due, however long it goes on', async () => {
    const at = sourceFolder({})
    const { compile, asked } = stubCompile(at.clock)
    const run = await openRescan(at.folder, at.clock, { compile })
    await run.idle()
    for (let passed = 0; passed < 30_000; passed += 400) {
      run.folderWatch.change()
      at.clock.now += 400
    }
    run.timers.fire()
    await run.idle()
    expect(asked).toHaveLength(2)
  })

  test('while it looks is looked at afterwards', async () => {
    const at = sourceFolder({})
    const stub = stubCompile(at.clock)
    const compile: LookCompile = async (path, options) => {
      if (stub.asked.length === 1) run.folderWatch.change()
      return stub.compile(path, options)
    }
    const run = await openRescan(at.folder, at.clock, { compile })
    await run.idle()
    at.clock.now += 30_000
    run.timers.fire()
    await soon(run.timers.delays).toEqual([500])
  })

  test('waits where looking takes long: most of the time is left to others', async () => {
    const at = sourceFolder({})
    const { compile, others } = stubCompile(at.clock, { tookMs: 10_000 })
    const run = await openRescan(at.folder, at.clock, { compile })
    await run.idle()
    run.folderWatch.change()
    expect(run.timers.delays()).toEqual([500])
    others.tookMs = 1000
    await run.pass(500)
    run.folderWatch.change()
    expect(run.timers.delays()).toEqual([4000])
    others.tookMs = 60_000
    await run.pass(4000)
    run.folderWatch.change()
    expect(run.timers.delays()).toEqual([30_000])
  })
})

describe('a file that somebody may still be writing', () => {
  test('is left at a look and taken once it has settled', async () => {
    const at = sourceFolder({ 'a.md': 'A.\n' })
    const run = await openRescan(at.folder, at.clock)
    await run.idle()
    at.clock.now += 30_000
    at.file('a.md', 'Half', 100)
    run.timers.fire()
    await soon(run.timers.delays).toEqual([500])
    expect(await outlineOf(run.memory)).toEqual(['A.'])
    await run.pass(500)
    expect(await outlineOf(run.memory)).toEqual(['Half'])
    expect(run.timers.delays()).toEqual([30_000])
  })

  test('is looked at less and less often while it does not settle', async () => {
    const at = sourceFolder({})
    const { compile, others, asked } = stubCompile(at.clock, { unsettled: 1 })
    const run = await openRescan(at.folder, at.clock, { compile })
    const delays: number[] = []
    for (let look = 1; look <= 9; look++) {
      await soon(() => asked.length).toBe(look)
      await run.idle()
      delays.push(...run.timers.delays())
      at.clock.now += delays.at(-1) ?? 0
      if (look === 8) others.unsettled = 0
      run.timers.fire()
    }
    expect(delays).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000])
  })

  test('is taken by the first look: nobody knows that it is being written', async () => {
    const at = sourceFolder({ 'a.md': 'A.\n' })
    const first = await openRescan(at.folder, at.clock)
    await first.idle()
    await first.close()
    at.file('a.md', 'Changed.\n', 0)
    const second = await openRescan(at.folder, at.clock)
    await second.idle()
    expect(await outlineOf(second.memory)).toEqual(['Changed.'])
  })
})

describe('settings that change while it runs', () => {
  test('count from the next look on; a pause lets another process have the job', async () => {
    const at = sourceFolder({ 'a.md': 'A.\n' })
    const run = await openRescan(at.folder, at.clock)
    await run.idle()
    run.settings.enabled = false
    at.file('a.md', 'Changed.\n')
    await run.pass(30_000)
    expect(await outlineOf(run.memory)).toEqual(['A.'])
    expect(await run.engine.store.read((tx) => findLease(tx, 'rescan', at.clock.now))).toBeUndefined()
    run.folderWatch.change()
    expect(run.timers.delays()).toEqual([30_000])
    run.settings.enabled = true
    await run.pass(30_000)
    expect(await outlineOf(run.memory)).toEqual(['Changed.'])
  })

  test('are asked for now and then, however long the interval is', async () => {
    const at = sourceFolder({})
    const { compile, asked } = stubCompile(at.clock)
    const run = await openRescan(at.folder, at.clock, { compile })
    run.settings.intervalMs = 24 * HOUR
    await run.idle()
    await run.pass(HOUR)
    expect(asked).toHaveLength(1)
    expect((await run.rescan.status()).interval_s).toBe(86_400)
    run.settings.intervalMs = HOUR
    await run.pass(30_000)
    expect(asked).toHaveLength(2)
    expect((await run.rescan.status()).interval_s).toBe(3600)
    run.settings.intervalMs = 24 * HOUR
    run.settings.enabled = false
    await run.pass(24 * HOUR)
    run.settings.enabled = true
    await run.pass(30_000)
    expect(asked).toHaveLength(3)
  })

  test('that cannot be used are told once, and the last good ones stay', async () => {
    const at = sourceFolder({ 'a.md': 'A.\n', '.remindb/config.json': '{ "rescan": { "interval": "10s" } }' })
    const problems: unknown[] = []
    const stateFolder = join(at.folder, '.remindb')
    const live = openLiveConfig({ stateFolder, env: {}, onInvalid: (error) => problems.push(error) })
    const run = await openRescan(at.folder, at.clock, { settings: () => rescanSettingsOf(live()) })
    await soon(run.timers.delays).toEqual([10_000])
    for (const bad of ['0s', '-1s', 'soon', 5]) {
      problems.length = 0
      writeFileSync(join(stateFolder, 'config.json'), JSON.stringify({ rescan: { interval: bad } }))
      at.clock.now += 10_000
      run.timers.fire()
      await soon(run.timers.delays).toEqual([10_000])
      expect(problems).toHaveLength(1)
      expect((await run.rescan.status()).interval_s).toBe(10)
    }
    writeFileSync(join(stateFolder, 'config.json'), '{ "rescan": { "interval": "20s" } }')
    at.clock.now += 10_000
    run.timers.fire()
    await soon(run.timers.delays).toEqual([10_000])
    at.clock.now += 10_000
    run.timers.fire()
    await soon(run.timers.delays).toEqual([20_000])
  })
})

test('a clock that is set back does not stop the looks', async () => {
  const at = sourceFolder({})
  const { compile, asked } = stubCompile(at.clock)
  const run = await openRescan(at.folder, at.clock, { compile })
  await run.idle()
  at.clock.now -= 5 * HOUR
  run.timers.fire()
  await run.idle()
  await run.pass(30_000)
  expect(asked).toHaveLength(2)
  expect(asked.map(({ settleMs }) => settleMs)).toEqual([0, SETTINGS.settleMs])
})
