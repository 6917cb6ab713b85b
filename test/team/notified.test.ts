import { describe, expect, test } from 'vitest'
import { ERAS } from '../support/mcp.ts'
import { soon } from '../support/soon.ts'
import { keyFor, openTeam, type Team } from '../support/team.ts'
import { listenTo, personWith } from '../support/team-requests.ts'

const TREE = 'remindb://tree'
const SHORT = {
  'server.resources.overrides.logs': '10ms',
  'server.resources.overrides.rescan': '10ms',
} as const

describe.each(ERAS)('over %s', (revision) => {
  test('nobody is notified of keys that another client stored, and to subscribe to them tells nothing', async () => {
    const team = await openTeam()
    const ada = await personWith(team, { ...(await keyFor(team)), revision })
    await ada.call('remember', { key: 'plan', value: 'Ship it.' })
    const bobs = await keyFor(team, { user: 'bob' })
    const uris = ['memory://plan', 'memory://never', 'memory://_index', 'memory://own']
    const listening = await listenTo(team, { ...bobs, revision }, uris)
    expect(listening.refused).toEqual([])
    await ada.call('remember', { key: 'plan', value: 'Wait.' })
    await ada.call('remember', { key: 'never', value: 'Until now.' })
    await ada.call('redact_memory', { key: 'plan' })
    await ada.call('forget', { key: 'never' })
    const bob = await personWith(team, { ...bobs, revision })
    await bob.call('remember', { key: 'own', value: 'Mine.' })
    await soon(listening.heard).toEqual(expect.arrayContaining(['memory://own', 'memory://_index']))
    expect(new Set(listening.heard())).toEqual(new Set(['memory://own', 'memory://_index']))
    const acknowledged = listening.messages.find(({ params }) => params?.notifications)
    if (acknowledged) expect(acknowledged.params.notifications.resourceSubscriptions).toEqual(uris)
  })

  test('nobody is notified of another space', async () => {
    const team = await openTeam()
    const ada = await keyFor(team)
    const bob = await keyFor(team, { user: 'bob', space: 'blue' })
    const listening = await listenTo(team, { ...bob, revision }, [TREE, 'memory://recent', 'memory://plan'])
    const red = await personWith(team, { ...ada, revision })
    await red.call('MemoryWrite', { payload: 'News of red.' })
    await red.call('remember', { key: 'plan', value: 'Ship it.' })
    await red.call('store_memory', { type: 'core', content: 'Likes milk.' })
    const redListens = await listenTo(team, { ...ada, revision }, [TREE])
    await red.call('MemoryWrite', { payload: 'More of red.' })
    await soon(redListens.heard).toContain(TREE)
    expect(listening.heard()).toEqual([])
    const blue = await personWith(team, { ...bob, revision })
    await blue.call('MemoryWrite', { payload: 'News of blue.' })
    await soon(listening.heard).toEqual([TREE])
  })

  test('who is not an admin cannot subscribe to what only admins read', async () => {
    const team = await openTeam({ settings: SHORT })
    const writer = await keyFor(team)
    const listening = await listenTo(team, { ...writer, revision }, [
      'remindb://logs',
      'remindb://rescan',
      TREE,
    ])
    if (revision === '2025-11-25')
      expect(listening.refused.map(({ message }) => message)).toEqual(
        Array(2).fill("Insufficient scope: 'memories:admin' required"),
      )
    else
      await soon((): unknown[] =>
        listening.messages.map(({ params }) => params?.notifications),
      ).toContainEqual({
        resourceSubscriptions: [TREE],
      })
  })

  test('a role that is lowered ends the notifications of an admin at once, and others stay', async () => {
    const team = await openTeam({
      settings: { ...SHORT, 'server.logging.level': 'debug', 'server.logging.output_path': 'log.txt' },
    })
    const eve = await keyFor(team, { user: 'eve', scopes: ['memories:admin'] })
    const ada = await keyFor(team, { scopes: ['memories:admin'] })
    const uris = ['remindb://logs', TREE]
    const [lowered, admin] = [
      await listenTo(team, { ...eve, revision }, uris),
      await listenTo(team, { ...ada, revision }, uris),
    ]
    const writer = await personWith(team, { ...ada, revision })
    await writer.call('MemoryWrite', { payload: 'First.' })
    await soon(lowered.heard).toEqual(expect.arrayContaining(uris))
    await team.accounts.members.add({ user: 'eve', space: 'red', role: 'reader' })
    const asLowered = await personWith(team, { ...eve, revision })
    expect(
      (await asLowered.send({ method: 'resources/read', params: { uri: 'remindb://logs' } })).status,
    ).toBe(403)
    const [before, adminBefore] = [lowered.heard().length, admin.heard().length]
    await writer.call('MemoryWrite', { payload: 'Second.' })
    await soon(() => admin.heard().slice(adminBefore)).toEqual(expect.arrayContaining(uris))
    await soon(() => lowered.heard().slice(before)).toContain(TREE)
    expect(new Set(lowered.heard().slice(before))).toEqual(new Set([TREE]))
  })

  test.each(Object.entries(ENDS))('a stream ends when its key %s', async (_, change) => {
    const team = await openTeam()
    const eve = await keyFor(team, { user: 'eve' })
    const listening = await listenTo(team, { ...eve, revision }, [TREE])
    expect(listening.isOver()).toBe(false)
    await change(team, eve)
    await soon(listening.isOver).toBe(true)
  })

  test.each(Object.entries(EXPIRES))(
    'a stream ends when the time of its key is up: %s',
    async (_, create) => {
      let time = 1_000_000
      const team = await openTeam({ time: () => time })
      const { key, begin } = await create(team, time + 60_000)
      const listening = await listenTo(team, { key, revision }, [TREE])
      await begin?.()
      time += 59_000
      const still = await personWith(team, { key, revision })
      expect(await still.read(TREE)).toHaveProperty('result')
      expect(listening.isOver()).toBe(false)
      time += 1000
      await soon(listening.isOver).toBe(true)
      if (still.session !== undefined) expect((await still.send({ method: 'ping' })).status).toBe(401)
    },
  )
})

/** What happens to the key of `eve` in `red`. */
const ENDS: Record<string, (team: Team, key: { id: string }) => Promise<unknown>> = {
  'is revoked': ({ accounts }, { id }) => accounts.keys.revoke(id),
  'is rotated': ({ accounts }, { id }) => accounts.keys.rotate(id),
  'is of a disabled user': ({ accounts }) => accounts.users.disable('eve'),
  'is of a deleted user': ({ accounts }) => accounts.users.delete('eve'),
  'is of a removed member': ({ accounts }) => accounts.members.remove({ user: 'eve', space: 'red' }),
  'is of an archived space': ({ accounts }) => accounts.spaces.archive('red'),
  'is of a deleted space': ({ accounts }) => accounts.spaces.delete('red'),
}

interface Expiring {
  key: string
  /** Called when it is being used. */
  begin?: () => Promise<unknown>
}

/** Keys that work until then, by why that is so. */
const EXPIRES: Record<string, (team: Team, until: number) => Promise<Expiring>> = {
  'it expires': (team, until) => expiringKey(team, until),
  'the one it was made with expires': async (team, until) =>
    team.accounts.keys.createChild((await expiringKey(team, until)).id, { scopes: ['memories:read'] }),
  'it was rotated': async (team) => {
    const { id, key } = await keyFor(team, { user: 'eve' })
    return { key, begin: () => team.accounts.keys.rotate(id, { graceMs: 60_000 }) }
  },
}

async function expiringKey({ accounts }: Team, expiresAt: number): Promise<{ id: string; key: string }> {
  await accounts.users.create({ name: 'eve' })
  return accounts.keys.create({ user: 'eve', space: 'red', scopes: ['memories:read'], expiresAt })
}
