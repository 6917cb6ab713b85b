import { cpSync } from 'node:fs'
import { basename } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { allPages, expectSound, historyOf, openWorkspace, type Workspace } from '../support/engine.ts'
import { RUNS } from '../support/engine-documents.ts'
import { compile, Driver, exported, step } from '../support/memory-driver.ts'
import { piecesOf } from '../support/transfer.ts'

/** Whatever can be asked, without what belongs to the place and the moment. */
async function everything(at: Workspace) {
  const { memory, folder } = at
  const ids = [...new Set((await exported(memory)).match(/(?<="key":\d+,"id":")\w{11}/g) ?? [])]
  const snapshots = await memory.snapshots({ limit: 1000 })
  const { db_path: _, db_bytes: __, snapshots: counted, ...overview } = await memory.overview()
  const { checks } = await memory.doctor()
  const diffs = snapshots.map(({ id: from }) =>
    allPages((page) => memory.diff({ from, to: snapshots[0]?.id ?? 0, ...page }), 50),
  )
  const all = {
    tree: await memory.forest(),
    files: await memory.files(),
    graph: await memory.graph(),
    snapshots,
    histories: await Promise.all(ids.map((id) => historyOf(memory, id))),
    diffs: await Promise.all(diffs),
    overview,
    counted: { ...counted, latest_age_s: 0 },
    checks,
  }
  return JSON.parse(JSON.stringify(all).replaceAll(basename(folder), 'folder'))
}

/** An equal memory beside equal files, in a folder of its own. */
async function copyOf(at: Workspace): Promise<Workspace> {
  const copy = await openWorkspace()
  cpSync(at.folder, copy.folder, { recursive: true, filter: (path) => basename(path) !== '.remindb' })
  await copy.memory.import(piecesOf(await exported(at.memory), 777))
  return copy
}

const withoutTimes = (text: string): string =>
  text.replace(/"(created|updated|ticked|accessed)_at":\d+/g, '"$1_at":0')

test(
  'any memory comes through export and import unchanged, and goes on as before',
  async () => {
    const histories = fc.array(step, { minLength: 3, maxLength: 25 })
    await fc.assert(
      fc.asyncProperty(histories, fc.array(step, { minLength: 1, maxLength: 4 }), async (before, after) => {
        await using original = await openWorkspace()
        const driver = new Driver(original)
        for (const one of before) await driver.run(one)
        await using copy = await copyOf(original)
        expect(await exported(copy.memory)).toBe(await exported(original.memory))
        expect(await everything(copy)).toEqual(await everything(original))
        await expectSound(copy.memory)
        const names = Array.from({ length: after.length }, driver.name)
        for (const at of [original, copy]) {
          const left = [...names]
          const next = new Driver(at, new Map(driver.files), () => left.shift() ?? 'one more')
          for (const one of after) await next.run(one)
          await compile(at)
        }
        expect(withoutTimes(await exported(copy.memory))).toBe(withoutTimes(await exported(original.memory)))
        await expectSound(copy.memory)
      }),
      { numRuns: 12 * RUNS, interruptAfterTimeLimit: 50_000 * RUNS },
    )
  },
  60_000 * RUNS,
)
