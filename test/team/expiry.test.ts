import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { connectRaw, ERAS } from '../support/raw-client.ts'
import { keyFor, openTeam, type Team, WRITER } from '../support/team.ts'

const HOUR = 3_600_000

/** Whatever is to be stored of what happened so far is stored: nothing but time changes from here on. */
async function settle({ accounts }: Team): Promise<void> {
  await accounts.flush()
  await setImmediate()
}

test.each(ERAS)('streams end when their key expires, over %s', async (era) => {
  const clock = { now: Date.now() }
  const team = await openTeam({ time: () => clock.now })
  await keyFor(team)
  const expiresAt = clock.now + HOUR
  const { key } = await team.accounts.keys.create({ user: 'ada', space: 'red', scopes: WRITER, expiresAt })
  const client = await connectRaw(team, { key, era, name: 'test-client' })
  const { ended } = await client.listen(['remindb://tree'], () => undefined)
  await settle(team)
  clock.now = expiresAt
  await ended
  expect((await client.ask('ping')).status).toBe(401)
})

test.each(ERAS)('streams end with the grace of a secret that was rotated away, over %s', async (era) => {
  const clock = { now: Date.now() }
  const team = await openTeam({ time: () => clock.now })
  const { id, key } = await keyFor(team)
  const client = await connectRaw(team, { key, era, name: 'test-client' })
  const { ended } = await client.listen(['remindb://tree'], () => undefined)
  const rotated = await team.accounts.keys.rotate(id, { graceMs: HOUR })
  expect((await client.ask('tools/list')).status).toBe(200)
  await settle(team)
  clock.now += HOUR
  await ended
  expect((await client.ask('tools/list')).status).toBe(401)
  const again = await connectRaw(team, { key: rotated.key, era, name: 'test-client' })
  expect((await again.ask('tools/list')).status).toBe(200)
})
