import { join } from 'node:path'
import { expect, test } from 'vitest'
import { expectSound, flat, heatOf, openWorkspace, stateOf, type Workspace } from '../support/engine.ts'

const SEEDS = '.remindb/temperatures.json'

/** Heat by text. */
async function heats({ memory }: Workspace): Promise<Record<string, number>> {
  const heat = heatOf(memory)
  return Object.fromEntries(
    flat(await stateOf(memory)).map(({ id, text }) => [text, heat.get(id)?.value ?? Number.NaN]),
  )
}

const seed = (at: Workspace, seeds: unknown): void => at.file(SEEDS, JSON.stringify(seeds))

test('new nodes of a seeded file begin with its heat, others as ever', async () => {
  await using at = await openWorkspace()
  seed(at, { archive: 0.125, 'core.md': 1 })
  await at.compile({ 'archive/old.md': 'Old.\n\nOlder.', 'core.md': 'Core.', 'new.md': 'New.' })
  expect(await heats(at)).toEqual({ 'Old.': 0.125, 'Older.': 0.125, 'Core.': 1, 'New.': 0.5 })
  await expectSound(at.memory)
})

test('later only what is added or modified takes it', async () => {
  await using at = await openWorkspace({ 'a.md': 'First text that stays.\n\nSecond text here.' })
  seed(at, { '*': 0.25 })
  await at.compile()
  expect(await heats(at)).toEqual({ 'First text that stays.': 0.5, 'Second text here.': 0.5 })
  await at.compile({ 'a.md': 'First text that stays.\n\nSecond text here, edited.\n\nThird.' })
  expect(await heats(at)).toEqual({
    'First text that stays.': 0.5,
    'Second text here, edited.': 0.25,
    'Third.': 0.25,
  })
})

test('it does not matter how much is compiled at once', async () => {
  await using at = await openWorkspace()
  seed(at, { 'docs/deep/a.md': 0.25, 'docs/*': 0.75 })
  at.file('docs/deep/a.md', 'Deep.')
  at.file('docs/b.md', 'Shallow.')
  await at.memory.compile(join(at.folder, 'docs/deep/a.md'))
  await at.memory.compile(join(at.folder, 'docs'))
  expect(await heats(at)).toEqual({ 'Deep.': 0.25, 'Shallow.': 0.75 })
})

test('reseeding gives every node of the files its heat again, without a snapshot', async () => {
  await using at = await openWorkspace({ 'a.md': 'One.\n\nTwo.', 'b/c.md': 'Three.', 'd.md': 'Four.' })
  seed(at, { 'a.md': 0.25, b: 0.75 })
  const snapshots = await at.memory.snapshots()
  const reseeding = { reseedTemperatures: true }
  expect(await at.memory.compile(at.folder, reseeding)).toMatchObject({
    reseeded: 3,
    snapshot: null,
    total: 0,
  })
  expect(await heats(at)).toEqual({ 'One.': 0.25, 'Two.': 0.25, 'Three.': 0.75, 'Four.': 0.5 })
  expect((await at.memory.compile(at.folder, reseeding)).reseeded).toBe(0)
  expect(await at.memory.snapshots()).toEqual(snapshots)
  seed(at, { '*': 0.125, b: { '*': 0.125 } })
  expect((await at.memory.compile(join(at.folder, 'b'), reseeding)).reseeded).toBe(1)
  expect(await heats(at)).toMatchObject({ 'One.': 0.25, 'Three.': 0.125, 'Four.': 0.5 })
  await expectSound(at.memory)
})

test('a file that cannot be understood stops the compile before anything is written', async () => {
  await using at = await openWorkspace({ 'a.md': 'One.' })
  const before = await stateOf(at.memory)
  at.file('a.md', 'Two.')
  for (const [text, reason] of [
    ['{ "a.md": 2 }', 'temperature for "a.md" out of range [0, 1]: 2'],
    ['{ a', 'JSON'],
  ] as const) {
    at.file(SEEDS, text)
    await expect(at.memory.compile(at.folder)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringMatching(/^invalid \.remindb\/temperatures\.json: /),
    })
    await expect(at.memory.compile(at.folder)).rejects.toThrow(reason)
  }
  expect(await stateOf(at.memory)).toEqual(before)
})

test('without seeds reseeding does nothing', async () => {
  await using at = await openWorkspace({ 'a.md': 'One.' })
  expect((await at.memory.compile(at.folder, { reseedTemperatures: true })).reseeded).toBe(0)
})
