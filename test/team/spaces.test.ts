import { existsSync, rmSync } from 'node:fs'
import { expect, test, vi } from 'vitest'
import { connectTeam, keyFor, openTeam, type Team } from '../support/team.ts'

/** Of one call in the newer era, which leaves no session behind. */
async function remember(team: Team, space: string, value: string): Promise<string> {
  const { client, call } = await connectTeam(team, { path: `/s/${space}/mcp` })
  const answer = await call('remember', { key: 'k', value })
  await client.close()
  return answer
}

test('a space is opened by its first request, and closed when nobody uses it', async () => {
  const team = await openTeam({ auth: 'off', idleMs: 20 })
  expect(team.spaces.size()).toBe(0)
  expect(await remember(team, 'red', 'one')).toContain('Stored')
  await vi.waitFor(() => expect(team.spaces.size()).toBe(0), { timeout: 20_000 })
  expect(await remember(team, 'red', 'two')).toContain('Updated')
})

test('where too many spaces are open, the one that was idle for longest is closed', async () => {
  const team = await openTeam({ auth: 'off', spaces: ['a', 'b', 'c'], maxOpen: 2 })
  for (const space of ['a', 'b', 'c']) await remember(team, space, space)
  await vi.waitFor(() => expect(team.spaces.size()).toBe(2), { timeout: 20_000 })
  for (const space of ['a', 'b', 'c']) {
    const { call } = await connectTeam(team, { path: `/s/${space}/mcp` })
    expect(await call('recall', { key: 'k' })).toBe(space)
  }
})

test('a space with an open stream stays open', async () => {
  const team = await openTeam({ auth: 'off', spaces: ['a', 'b'], maxOpen: 1, idleMs: 20 })
  const listening = await connectTeam(team, { path: '/s/a/mcp', revision: '2025-11-25' })
  const updated = Promise.withResolvers<void>()
  listening.client.setNotificationHandler('notifications/resources/updated', async () => updated.resolve())
  await listening.client.subscribeResource({ uri: 'memory://k' })
  await remember(team, 'b', 'elsewhere')
  await vi.waitFor(() => expect(team.spaces.size()).toBe(1), { timeout: 20_000 })
  await remember(team, 'a', 'here')
  await updated.promise
})

test('without accounts /mcp is the only space, or the one that was chosen', async () => {
  const one = await openTeam({ auth: 'off', spaces: ['only'] })
  expect(await (await connectTeam(one, {})).call('ping')).toBe('ok')
  const several = await openTeam({ auth: 'off' })
  await expect(connectTeam(several, { revision: '2025-11-25' })).rejects.toThrow('/s/{space}/mcp')
  const chosen = await openTeam({ auth: 'off', defaultSpace: 'blue' })
  await (await connectTeam(chosen, {})).call('remember', { key: 'k', value: 'v' })
  expect(await (await connectTeam(chosen, { path: '/s/blue/mcp' })).call('recall', { key: 'k' })).toBe('v')
})

test('a space that is archived, deleted or renamed is not there under its name', async () => {
  const team = await openTeam({ auth: 'off', spaces: ['a', 'b', 'c'] })
  for (const space of ['a', 'b', 'c']) await remember(team, space, space)
  await team.accounts.spaces.archive('a')
  await team.accounts.spaces.delete('b')
  await team.accounts.spaces.rename('c', 'd')
  for (const space of ['a', 'b', 'c'])
    await expect(connectTeam(team, { path: `/s/${space}/mcp`, revision: '2025-11-25' })).rejects.toThrow(
      'there is no such space',
    )
  await vi.waitFor(() => expect(team.spaces.size()).toBe(1), { timeout: 20_000 })
  expect(await (await connectTeam(team, { path: '/s/d/mcp' })).call('recall', { key: 'k' })).toBe('c')
})

test('a space whose files are gone fails for its clients only, without a path of the host', async () => {
  const team = await openTeam()
  const { key } = await keyFor(team)
  const space = await team.accounts.spaces.find('red')
  rmSync(`${team.dir}/spaces/${space?.id}`, { recursive: true })
  const failed = await connectTeam(team, { key }).catch((error: Error) => error)
  expect(String(failed)).not.toContain(team.dir)
  // It is not replaced by an empty one.
  expect(existsSync(`${team.dir}/spaces/${space?.id}/memory.db`)).toBe(false)
  expect(JSON.stringify(team.records)).toContain('restore a backup')
  const other = await connectTeam(team, await keyFor(team, { user: 'bob', space: 'blue' }))
  expect(await other.call('ping')).toBe('ok')
})
