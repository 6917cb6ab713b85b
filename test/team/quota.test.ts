import { expect, test } from 'vitest'
import { openAccounts } from '../../src/runtime/spaces/accounts.ts'
import { soon } from '../support/soon.ts'
import { connectTeam, keyFor, openTeam, type Team } from '../support/team.ts'

interface Hive {
  hive: { memory_quota: { used: number; limit: number | null; remaining: number | null } }
}

async function quotaOf({ client }: Awaited<ReturnType<typeof connectTeam>>) {
  const { _meta } = await client.callTool({ name: 'ping', arguments: {} })
  return (_meta as unknown as Hive).hive.memory_quota
}

const connectAs = async (team: Team, user: string, space = 'red') =>
  connectTeam(team, { ...(await keyFor(team, { user, space })), path: `/s/${space}/mcp` })

const FULL = 'Memory quota reached (2/2). Delete some memories to store new ones.'

test('the quota of a user holds for all keys of a space together, and _meta.hive has its figures', async () => {
  const team = await openTeam({ settings: { 'quota.memories': 2 } })
  const ada = await connectAs(team, 'ada')
  expect(await quotaOf(ada)).toEqual({ used: 0, limit: 2, remaining: 2 })
  await ada.call('remember', { key: 'k', value: 'v' })
  const laptop = await keyFor(team, { user: 'ada' })
  const { key } = await team.accounts.keys.rotate(laptop.id)
  const other = await connectTeam(team, { key })
  await other.call('store_memory', { type: 'core', content: 'c' })
  expect(await quotaOf(ada)).toEqual({ used: 2, limit: 2, remaining: 0 })
  expect(await ada.call('remember', { key: 'k2', value: 'v' })).toBe(FULL)
  expect(await other.call('MemoryWrite', { payload: 'a note' })).toContain(FULL)
  expect(await other.call('store_memory', { type: 'core', content: 'c2' })).toContain(FULL)
  expect(await other.call('memory', { command: 'append', path: '/a', content: 't' })).toContain(FULL)
  const refused = await ada.client.callTool({ name: 'remember', arguments: { key: 'k2', value: 'v' } })
  expect(refused.isError).toBe(true)
  // Another user, and another space of the same one.
  const [bob, blue] = [await connectAs(team, 'bob'), await connectAs(team, 'ada', 'blue')]
  for (const one of [bob, blue]) {
    await one.call('remember', { key: 'of another', value: 'v' })
    expect(await quotaOf(one)).toEqual({ used: 1, limit: 2, remaining: 1 })
  }
})

test('500 memories and 100 MiB are the default, and settings, overrides and exemptions change that', async () => {
  const plain = await openTeam()
  expect(await quotaOf(await connectAs(plain, 'ada'))).toMatchObject({ limit: 500 })
  const team = await openTeam({
    settings: { 'quota.memories': 'none', 'quota.bytes': 10, 'quota.exempt_users': ['bob'] },
  })
  const ada = await connectAs(team, 'ada')
  expect(await quotaOf(ada)).toEqual({ used: 0, limit: null, remaining: null })
  expect(await ada.call('remember', { key: 'k', value: 'ten bytes!!' })).toBe(
    'Storage quota reached (11/10 bytes). Delete some memories to free space.',
  )
  const bob = await connectAs(team, 'bob')
  expect(await bob.call('remember', { key: 'k', value: 'ten bytes!!' })).toContain('Stored')
  await team.accounts.users.setLimits('ada', { memories: 1, bytes: 'none' })
  expect(await ada.call('remember', { key: 'k2', value: 'ten bytes!!' })).toContain('Stored')
  expect(await quotaOf(ada)).toEqual({ used: 1, limit: 1, remaining: 0 })
  await team.accounts.users.setLimits('ada', { memories: 'default', bytes: 'default' })
  expect(await quotaOf(ada)).toEqual({ used: 1, limit: null, remaining: null })
})

test('limits that another process stores hold for a session that is open', async () => {
  const team = await openTeam()
  const ada = await connectTeam(team, { ...(await keyFor(team)), revision: '2025-11-25' })
  const other = await openAccounts(team.dir)
  await other.users.setLimits('ada', { memories: 7 })
  await other.close()
  await soon(async () => (await quotaOf(ada)).limit).toBe(7)
})

test('without accounts nothing is limited', async () => {
  const team = await openTeam({ auth: 'off', spaces: ['red'], settings: { 'quota.memories': 0 } })
  const anybody = await connectTeam(team, {})
  expect(await anybody.call('remember', { key: 'k', value: 'v' })).toContain('Stored')
  expect(await quotaOf(anybody)).toEqual({ used: 1, limit: null, remaining: null })
})
