import { expect, test } from 'vitest'
import { agentMemories } from '../../src/runtime/serve/agent-memory.ts'
import { temperatureOf } from '../../src/runtime/settings/temperature.ts'
import { openWorkspace, temporaryFolder } from '../support/engine.ts'

const MASK = 'space:acme'

test('a masked observer shows no path of the host, and all else as it is', async () => {
  await using at = await openWorkspace({ 'a.md': '# A\n' })
  const other = temporaryFolder()
  await at.memory.compile(other)
  at.file('b.md', '# B\n')
  await at.memory.compile(at.folder)
  const plain = at.memory.observer
  const masked = plain.for({ mask: MASK })
  const views = [
    ['overview', (one: typeof plain) => one.overview()],
    ['overviewCounts', (one: typeof plain) => one.overviewCounts()],
    ['files', (one: typeof plain) => one.files()],
    ['snapshots', (one: typeof plain) => one.snapshots()],
    ['snapshotsPage', (one: typeof plain) => one.snapshotsPage({})],
    ['doctor', (one: typeof plain) => one.doctor()],
    ['firstLook', (one: typeof plain) => one.firstLook()],
    ['forestPage', (one: typeof plain) => one.forestPage({})],
    ['search', (one: typeof plain) => one.search({ query: 'a' })],
  ] as const
  for (const [name, view] of views) {
    const shown = JSON.stringify(await view(masked))
    for (const path of [at.folder, other]) expect(shown, name).not.toContain(path)
    const host = JSON.stringify(await view(plain))
    expect(shown, name).toBe(host.replaceAll(/"(compile:)?\/[^"]*"/g, (_, start = '') => `"${start}${MASK}"`))
  }
  expect(await masked.overview()).toMatchObject({ db_path: MASK })
  expect(await masked.files()).toMatchObject({ roots: [{ root: MASK, files: [{ path: 'a.md' }, {}] }] })
  const { snapshots } = await masked.snapshots()
  expect(snapshots[0]).toMatchObject({ compile_root: MASK, message: `compile:${MASK}` })
})

test('the tools of a masked client have the same overview', async () => {
  await using at = await openWorkspace({ 'a.md': '# A\n' })
  const { memory } = at
  const temperature = () => temperatureOf(memory.settings())
  const agent = agentMemories({ memory, config: memory.settings(), temperature, runs: { compile: never } })
  const { overview } = await agent({ author: 'ada/k1', mask: MASK }).stats()
  expect(overview).toEqual(await memory.observer.for({ mask: MASK }).overview())
  expect((await agent({ author: 'ada/k1' }).stats()).overview.db_path).toBe(memory.path)
})

const never = () => expect.unreachable()
