import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { expectSound, heatOf, idsByText, openIn, openWorkspace, temporaryFolder } from '../support/engine.ts'

test('reading warms nodes and counts, and makes no snapshot', async () => {
  await using at = await openWorkspace({ 'a.md': 'One.\n\nTwo.\n\nThree.' })
  const ids = await idsByText(at.memory)
  const one = ids['One.'] as string
  const two = ids['Two.'] as string
  await at.memory.pin({ id: two, temperature: 0.25 })
  const snapshots = await at.memory.snapshots()
  await at.memory.warm([one, two, 'unknown'])
  await at.memory.warm([one])
  const heat = heatOf(at.memory)
  expect(heat.get(one)).toMatchObject({ accesses: 2, pinned: 0 })
  expect(heat.get(one)?.value).toBeCloseTo(0.8)
  expect(heat.get(two)).toMatchObject({ accesses: 1, pinned: 1 })
  expect(heat.get(two)?.value).toBeCloseTo(0.4)
  expect(heat.get(ids['Three.'] as string)).toMatchObject({ accesses: 0, value: 0.5 })
  expect(await at.memory.snapshots()).toEqual(snapshots)
  await expectSound(at.memory)
})

test('being shown in a tree warms less than being read', async () => {
  await using at = await openWorkspace({ 'a.md': 'One.' })
  const { 'One.': one = '' } = await idsByText(at.memory)
  await at.memory.warm([one], { by: 'tree' })
  expect(heatOf(at.memory).get(one)).toMatchObject({ value: 0.515, accesses: 1 })
})

test('what was read is stored when the memory is closed, also if nobody waited for it', async () => {
  await using at = await openWorkspace({ 'a.md': 'One.' })
  const { 'One.': one = '' } = await idsByText(at.memory)
  void at.memory.warm([one])
  expect(heatOf(at.memory).get(one)?.accesses).toBe(0)
  await at.reopen()
  expect(heatOf(at.memory).get(one)?.accesses).toBe(1)
})

test('warming that fails is told, and fails nobody', async () => {
  const problems: unknown[] = []
  await using at = await openWorkspace({ 'a.md': 'One.' })
  const memory = await openIn(at.folder, { onProblem: (error) => problems.push(error) })
  const { 'One.': one = '' } = await idsByText(memory)
  await memory.close()
  await memory.warm([one])
  expect(problems).toHaveLength(1)
})

test('lists the coldest first', async () => {
  await using at = await openWorkspace({ 'a.md': 'One.\n\nTwo.\n\nThree.' })
  const ids = await idsByText(at.memory)
  await at.memory.summarize({ id: ids['Two.'] as string, summary: 'Second.', temperature: 0 })
  await at.memory.warm([ids['One.'] as string])
  const labels = async (page?: { limit?: number; below?: number }) =>
    (await at.memory.coldest(page)).map(({ label }) => label)
  expect(await labels()).toEqual(['Summary: Second.', 'Three.', 'One.'])
  expect(await labels({ limit: 1 })).toEqual(['Summary: Second.'])
  expect(await labels({ below: 0.5 })).toEqual(['Summary: Second.'])
  for (const limit of [0, -1, 1.5, Number.NaN])
    await expect(labels({ limit })).rejects.toMatchObject({ code: 'INVALID_INPUT' })
})

test('thresholds, boosts and the rebound follow an edit of the settings at once', async () => {
  await using at = await openWorkspace({ 'a.md': 'One.\n\nTwo.' })
  const ids = await idsByText(at.memory)
  const configure = (temperature: object) => at.file('.remindb/config.json', JSON.stringify({ temperature }))
  expect((await at.memory.overview()).temperature).toMatchObject({ hot: 0, cold: 0 })
  configure({ hot_threshold: 0.5, cold_threshold: 0.2 })
  expect((await at.memory.overview()).temperature).toMatchObject({ hot: 2, cold: 0 })
  configure({ hot_threshold: 0.6, cold_threshold: 0.55, access_boost: 0.25, summarize_rebound: 0.125 })
  expect((await at.memory.overview()).temperature).toMatchObject({ hot: 0, cold: 2 })
  await at.memory.warm([ids['One.'] as string])
  await at.memory.summarize({ id: ids['Two.'] as string, summary: 'Second.' })
  expect([...heatOf(at.memory).values()].map(({ value }) => value)).toEqual([0.75, 0.125])
})

test('an edit of the settings that cannot be used is told once and changes nothing', async () => {
  const folder = temporaryFolder()
  const problems: unknown[] = []
  await using memory = await openIn(folder, { onProblem: (error) => problems.push(error) })
  await memory.write({ payload: 'A note.' })
  writeFileSync(join(folder, '.remindb', 'config.json'), '{ "temperature": { "cold_threshold": 9 } }')
  expect((await memory.overview()).temperature.cold).toBe(0)
  expect((await memory.overview()).temperature.cold).toBe(0)
  expect(problems).toEqual([
    expect.objectContaining({ code: 'INVALID_INPUT', message: expect.stringContaining('cold_threshold') }),
  ])
})

test('settings that a folder may not have are reported once, and do not apply', async () => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, '.remindb'))
  writeFileSync(
    join(folder, '.remindb', 'config.json'),
    '{ "author": "folder", "keys": { "max_value_bytes": 1 } }',
  )
  const problems: unknown[] = []
  await using memory = await openIn(folder, { onProblem: (error) => problems.push(error) })
  await memory.keys.remember({ key: 'k', value: 'longer than that' })
  await memory.write({ payload: 'A note.' })
  expect((await memory.snapshots()).map(({ author }) => author)).not.toContain('folder')
  const message = expect.stringContaining('ignored author, keys.max_value_bytes')
  expect(problems).toEqual([expect.objectContaining({ code: 'FORBIDDEN', message })])
})

test('a removed node that comes back is as cold as if it had stayed', async () => {
  await using at = await openWorkspace({ 'a.md': 'One.\n\nTwo.' })
  const before = await idsByText(at.memory)
  await at.memory.summarize({ id: before['One.'] as string, summary: 'One.', temperature: 0.25 })
  await at.compile({ 'a.md': 'Two.' })
  expect((await at.memory.coldest()).map(({ label }) => label)).toEqual(['Two.'])
  await at.compile({ 'a.md': 'One.\n\nTwo.' })
  expect((await at.memory.coldest()).map(({ label, value }) => [label, value])).toEqual([
    ['One.', 0.25],
    ['Two.', 0.5],
  ])
  await expectSound(at.memory)
})
