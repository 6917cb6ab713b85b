import { expect, test } from 'vitest'
import { connectTeam, keyFor, openTeam } from '../support/team.ts'

const MANY = 50

test.each(['2025-11-25', '2026-07-28'] as const)(
  'a call does not wait behind fifty of another client, over %s',
  async (revision) => {
    const team = await openTeam()
    const busy = await connectTeam(team, { ...(await keyFor(team, { user: 'busy' })), revision })
    const other = await connectTeam(team, { ...(await keyFor(team, { user: 'other' })), revision })
    for (const { call } of [busy, other]) await call('MemorySearch', { query: 'anything' })
    const answered: string[] = []
    const ask = async ({ call }: typeof busy, name: string, at = 0): Promise<void> => {
      await call('remember', { key: `${name}-${at}`, value: `The value ${at} of ${name}.` })
      answered.push(name)
    }
    const busyCalls = Array.from({ length: MANY }, (_, at) => ask(busy, 'busy', at))
    await ask(other, 'other')
    expect(answered.indexOf('other')).toBeLessThan(MANY / 2)
    await Promise.all(busyCalls)
    expect(answered).toHaveLength(MANY + 1)
  },
)

test('keys that a key made share its turns', async () => {
  const team = await openTeam()
  const root = await keyFor(team)
  const keys = [root]
  for (let at = 0; at < 4; at++)
    keys.push(await team.accounts.keys.createChild(root.id, { scopes: ['memories:read', 'memories:write'] }))
  const made = await Promise.all(keys.map((key) => connectTeam(team, key)))
  const other = await connectTeam(team, await keyFor(team, { user: 'other' }))
  const answered: string[] = []
  const ask = async ({ call }: typeof other, name: string, key: string): Promise<void> => {
    await call('remember', { key, value: `The value of ${key}.` })
    answered.push(name)
  }
  const calls = made.flatMap((client, of) =>
    Array.from({ length: 10 }, (_, at) => ask(client, 'busy', `key-${of}-${at}`)),
  )
  await ask(other, 'other', 'other')
  expect(answered.indexOf('other')).toBeLessThan(calls.length / 2)
  await Promise.all(calls)
})
