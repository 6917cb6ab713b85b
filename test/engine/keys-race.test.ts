import { expect, test } from 'vitest'
import { isMemoryError } from '../../src/core/errors.ts'
import type { Memory } from '../../src/runtime/memory/open-memory.ts'
import { openIn, temporaryFolder } from '../support/engine.ts'
import { rememberElsewhere } from '../support/keys-process.ts'
import { soon } from '../support/soon.ts'

async function outcome(call: Promise<string>): Promise<string> {
  try {
    return await call
  } catch (error) {
    return isMemoryError(error) ? error.code : String(error)
  }
}

async function versionOf(memory: Memory): Promise<string> {
  const content = await memory.keys.recall('k')
  return content.kind === 'redacted' ? '' : content.version
}

test('of two handles that replace the same version exactly one wins, each time', async () => {
  const folder = temporaryFolder()
  await using one = await openIn(folder)
  await using other = await openIn(folder)
  await one.keys.remember({ key: 'k', value: 'start' })
  for (let round = 0; round < 20; round++) {
    const version = await versionOf(one)
    const outcomes = await Promise.all([
      outcome(one.keys.remember({ key: 'k', value: `one ${round}`, version })),
      outcome(other.keys.remember({ key: 'k', value: `other ${round}`, version })),
    ])
    expect(outcomes.sort()).toEqual(['CONFLICT', 'updated'])
  }
  expect((await one.keys.history('k')).count).toBe(20)
})

test('of two processes exactly one wins', async () => {
  const folder = temporaryFolder()
  await using memory = await openIn(folder)
  await memory.keys.remember({ key: 'k', value: 'start' })
  const version = await versionOf(memory)
  const outcomes = await Promise.all(
    ['one', 'other'].map((value) => rememberElsewhere(folder, { key: 'k', value, version })),
  )
  expect(outcomes.sort()).toEqual(['CONFLICT', 'updated'])
})

test('of many that store where nothing is exactly one does', async () => {
  const folder = temporaryFolder()
  await using one = await openIn(folder)
  await using other = await openIn(folder)
  const calls = Array.from({ length: 10 }, (_, at) =>
    (at % 2 ? one : other).keys.rememberIfAbsent({ key: 'k', value: `${at}` }),
  )
  expect((await Promise.all(calls)).sort()).toEqual([...Array(9).fill('kept'), 'stored'])
})

test('a value that ends is gone for another process too, and is removed once', async () => {
  const folder = temporaryFolder()
  let now = Date.now()
  await using one = await openIn(folder, { now: () => now })
  await using other = await openIn(folder, { now: () => now })
  await one.keys.remember({ key: 'k', value: 'ephemeral', ttlSeconds: 10 })
  expect((await other.search({ query: 'ephemeral', warm: false })).hits).toHaveLength(1)
  now += 10_000
  const found = await Promise.all(
    [one, other].map((memory) => memory.search({ query: 'ephemeral', warm: false })),
  )
  expect(found.map(({ hits }) => hits)).toEqual([[], []])
  await Promise.all([one.tick(), other.tick()])
  expect(await one.snapshots()).toMatchObject([{ author: 'expiry' }, { operation: 'key' }])
})

test('keys that end are removed at once where they are served, without a read of them', async () => {
  const folder = temporaryFolder()
  await using memory = await openIn(folder)
  memory.startExpiry()
  await memory.keys.remember({ key: 'k', value: 'ephemeral', ttlSeconds: 1 })
  await soon(() => memory.snapshots()).toMatchObject([{ author: 'expiry' }, { operation: 'key' }])
})
