import { renameSync, rmSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { expectSound, idOf, openWorkspace, outlineOf, type Workspace } from '../support/engine.ts'

const SETTLE = { settleMs: 500 }
const NOON = 1_700_000_000_000

/** A workspace whose clock stands, with files that were modified long before it. */
async function settledWorkspace(files: Record<string, string>) {
  const clock = { now: NOON }
  const at = await openWorkspace({}, { now: () => clock.now })
  const file = (path: string, text: string, ageMs = 0): void => {
    at.file(path, text)
    touch(at, path, (clock.now - ageMs) / 1000)
  }
  for (const [path, text] of Object.entries(files)) file(path, text, 60_000)
  if (Object.keys(files).length > 0) await at.compile()
  const look = () => at.memory.compile(at.folder, SETTLE)
  return { at, clock, file, look, [Symbol.asyncDispose]: () => at[Symbol.asyncDispose]() }
}

function touch(at: Workspace, path: string, seconds: number): void {
  utimesSync(join(at.folder, path), seconds, seconds)
}

describe('a file that somebody may still be writing', () => {
  test('stays what it was until it is left alone, without a word', async () => {
    await using work = await settledWorkspace({ 'a.md': 'Old.\n', 'b.md': 'Beside.\n' })
    const { at, clock, file, look } = work
    file('a.md', 'Ne')
    file('c.md', 'Half of a new f')
    file('bad.json', '{ "half": ')
    expect(await look()).toMatchObject({ total: 0, unsettled: 3, skipped: [], purged: [], snapshot: null })
    expect(await outlineOf(at.memory)).toEqual(['Old.', 'Beside.'])
    file('a.md', 'New.\n')
    rmSync(join(at.folder, 'bad.json'))
    clock.now += 500
    expect(await look()).toMatchObject({ added: 1, modified: 1, unsettled: 0 })
    expect(await outlineOf(at.memory)).toEqual(['New.', 'Beside.', 'Half of a new f'])
    await expectSound(at.memory)
  })

  test('does not hold up the others', async () => {
    await using work = await settledWorkspace({
      'a.md': 'Old.\n',
      'gone.md': 'One.\n\nTwo.\n',
      'b.md': 'B.\n',
    })
    const { at, file, look } = work
    file('a.md', 'Half')
    file('b.md', 'B, changed.\n', 1000)
    rmSync(join(at.folder, 'gone.md'))
    expect(await look()).toMatchObject({
      modified: 1,
      removed: 2,
      unsettled: 1,
      purged: [{ path: 'gone.md', nodes: 2 }],
    })
  })

  test('is the one that was renamed and edited: it is not purged meanwhile', async () => {
    await using work = await settledWorkspace({ 'a.md': '# Plan\n', 'b.md': 'B.\n' })
    const { at, clock, look } = work
    const id = await idOf(at.memory, 'Plan')
    renameSync(join(at.folder, 'a.md'), join(at.folder, 'c.md'))
    touch(at, 'c.md', clock.now / 1000)
    expect(await look()).toMatchObject({ total: 0, unsettled: 1, purged: [] })
    clock.now += 500
    expect(await look()).toMatchObject({ total: 0, unsettled: 0, purged: [] })
    expect(await idOf(at.memory, 'Plan')).toBe(id)
    expect((await at.memory.files()).roots[0]?.files.map(({ path }) => path)).toEqual(['b.md', 'c.md'])
  })

  test('counts when nothing is known yet', async () => {
    await using work = await settledWorkspace({})
    work.file('a.md', 'New.\n')
    expect(await work.look()).toMatchObject({ added: 1, unsettled: 0 })
  })

  test('counts where nobody asked to wait', async () => {
    await using work = await settledWorkspace({ 'a.md': 'Old.\n' })
    work.file('a.md', 'New.\n')
    expect(await work.at.compile()).toMatchObject({ modified: 1, unsettled: 0 })
    work.file('a.md', 'Newer.\n')
    const one = await work.at.memory.compile(join(work.at.folder, 'a.md'))
    expect(one).toMatchObject({ modified: 1, unsettled: 0 })
  })
})

test('files that are gone are told by path with their nodes, also what has none', async () => {
  await using work = await settledWorkspace({ 'z.md': '# Z\n\nOne.\n', 'b/a.md': 'A.\n', 'empty.md': '' })
  for (const path of ['z.md', 'b', 'empty.md']) work.at.remove(path)
  const { purged, files, removed } = await work.look()
  expect(purged).toEqual([
    { path: 'b/a.md', nodes: 1 },
    { path: 'empty.md', nodes: 0 },
    { path: 'z.md', nodes: 2 },
  ])
  expect({ removed, files }).toMatchObject({ removed: 3, files: { removed: 3 } })
  expect((await work.look()).purged).toEqual([])
})
