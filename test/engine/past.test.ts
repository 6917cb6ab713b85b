import { expect, test } from 'vitest'
import { openTools } from '../support/agent-memory.ts'
import { openWorkspace } from '../support/engine.ts'

const PLAN = '# Plan\n\nRent is due at the end of the month.\n\nBuy milk.\n'
const START = Date.UTC(2026, 0, 10)

test('a file is found by the name it had, though another one has that name now', async () => {
  await using at = await openWorkspace({ 'plan.md': PLAN })
  at.remove('plan.md')
  await at.compile({ 'rent.md': PLAN })
  await at.compile({ 'plan.md': '# Another plan\n' })
  const document = { kind: 'source', root: '.', path: 'plan.md' } as const
  const { items } = await at.memory.blame({ document, asOf: 1 })
  expect(items.map(({ label }) => label)).toEqual([
    'Plan',
    'Rent is due at the end of the month.',
    'Buy milk.',
  ])
})

test('a file that was renamed, and removed later, was there', async () => {
  await using at = await openWorkspace({ 'plan.md': PLAN, 'other.md': 'Other.' })
  at.remove('plan.md')
  await at.compile({ 'rent.md': PLAN })
  at.remove('rent.md')
  await at.compile()
  expect(await at.memory.findDocuments('plan.md', { asOf: 1 })).toMatchObject([{ state: 'live', nodes: 3 }])
  expect(await at.memory.firstLook({ asOf: 1 })).toMatchObject({ files: 2 })
})

test('a key that had expired is not found as of then, though it was stored again since', async () => {
  let now = START
  await using at = await openWorkspace({}, { now: () => now })
  await at.memory.keys.remember({ key: 'k', value: 'zebra', ttlSeconds: 0 })
  const [then] = await at.memory.snapshots({ limit: 1 })
  const asOf = then?.id ?? 0
  const see = async () => ({
    found: (await at.memory.search({ query: 'zebra', asOf })).hits,
    nodes: (await at.memory.tree({ depth: 2, asOf })).nodes,
  })
  expect(await see()).toEqual({ found: [], nodes: [] })
  now += 60_000
  await at.memory.keys.remember({ key: 'k', value: 'zebra again' })
  expect(await see()).toEqual({ found: [], nodes: [] })
})

test('a filter by time finds the same as of a moment that stays, after pruning', async () => {
  let now = START
  await using at = await openWorkspace({}, { now: () => now })
  await at.memory.write({ payload: 'A zebra.' })
  await at.memory.write({ payload: 'Something else.' })
  now += 86_400_000
  await at.memory.write({ payload: 'Later.' })
  const [zebra] = (await at.memory.search({ query: 'zebra' })).hits
  await at.memory.write({ anchor: zebra?.id ?? '', payload: 'A horse.' })
  const find = async () => (await at.memory.search({ query: 'zebra since:3d', asOf: 3 })).hits.length
  expect(await find()).toBe(1)
  await at.memory.pruneHistory({ keep: '1h', keepLast: 1 })
  expect(await find()).toBe(1)
})

test('a snapshot that never was is named as such, not as a node', async () => {
  await using at = await openTools({ 'plan.md': PLAN })
  for (const [tool, args] of Object.entries({
    MemoryTree: {},
    MemoryFetch: { id: 'x' },
    MemorySearch: { query: 'rent' },
  }))
    await expect(at.call(tool, { ...args, as_of: '0' })).rejects.toThrow('snapshot 0 not found')
})
