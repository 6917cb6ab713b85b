import { expect, test } from 'vitest'
import { connectTeam, keyFor, openTeam } from '../support/team.ts'

const REVISIONS = ['2025-11-25', '2026-07-28'] as const

test.each(REVISIONS)('a client with a key uses its space, over %s', async (revision) => {
  const team = await openTeam()
  const { id, key } = await keyFor(team)
  for (const path of ['/mcp', '/s/red/mcp']) {
    const ada = await connectTeam(team, { key, path, revision })
    expect(await ada.call('remember', { key: `cadence${path}`, value: 'Weekly' })).toContain('Stored')
    expect(await ada.read('memory://_index')).toContain('cadence')
    expect(await ada.call('MemoryStats')).not.toContain(team.dir)
    expect(JSON.parse(await ada.read('remindb://overview')).db_path).toBe('space:red')
  }
  expect(await (await connectTeam(team, { key })).call('list_memories')).toContain(`ada/${id}`)
})

test.each(REVISIONS)('two spaces share nothing, over %s', async (revision) => {
  const team = await openTeam()
  const ada = await connectTeam(team, { ...(await keyFor(team)), revision })
  const bob = await connectTeam(team, { ...(await keyFor(team, { user: 'bob', space: 'blue' })), revision })
  await ada.call('remember', { key: 'secret-plan', value: 'zebra' })
  expect(await bob.call('recall', { key: 'secret-plan' })).toBe("No memory found for key 'secret-plan'.")
  expect(await bob.call('MemorySearch', { query: 'zebra' })).not.toContain('secret-plan')
  expect(await bob.read('memory://_index')).not.toContain('secret-plan')
})

test('a client sees the keys that it stored, and its tools those of the space', async () => {
  const team = await openTeam()
  const ada = await connectTeam(team, await keyFor(team))
  const bob = await connectTeam(team, await keyFor(team, { user: 'bob' }))
  await ada.call('remember', { key: 'cadence', value: 'Weekly' })
  expect(await bob.call('recall', { key: 'cadence' })).toBe('Weekly')
  expect(await bob.read('memory://_index')).not.toContain('cadence')
  const missing = await bob.read('memory://never').catch((error: Error) => error.message)
  const others = await bob.read('memory://cadence').catch((error: Error) => error.message)
  expect(others).toBe(missing.replace('never', 'cadence'))
})

test('a revoked key ends sessions and streams, and other clients stay', async () => {
  const team = await openTeam()
  const { id, key } = await keyFor(team)
  const other = await keyFor(team, { user: 'bob' })
  const ada = await connectTeam(team, { key, revision: '2025-11-25' })
  const bob = await connectTeam(team, { ...other, revision: '2025-11-25' })
  const closed = Promise.withResolvers<void>()
  ada.transport.onerror = () => closed.resolve()
  await team.accounts.keys.revoke(id)
  await expect(ada.call('MemoryTree')).rejects.toThrow('revoked')
  await closed.promise
  expect(await bob.call('ping')).toBe('ok')
})
