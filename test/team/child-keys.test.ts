import { expect, test } from 'vitest'
import type { Scope } from '../../src/core/access/scopes.ts'
import { keyFor, openTeam, type Team } from '../support/team.ts'
import { bearer, handMade, modernRequest } from '../support/team-requests.ts'

const HOUR = 3_600_000

/** What the holder of a key does with keys. */
function holder({ fetch }: Pick<Team, 'fetch'>, key: string, space = 'red') {
  const send = async (method: string, at = '', message?: unknown) => {
    const path = `/s/${space}/keys${at}`
    const response = await fetch(
      handMade({
        method,
        path,
        headers: bearer(key),
        ...(message !== undefined && { message }),
      }),
    )
    const text = await response.text()
    const retryAfter = response.headers.get('retry-after')
    return {
      status: response.status,
      body: text === '' ? undefined : JSON.parse(text),
      ...(retryAfter === null ? {} : { retryAfter }),
    }
  }
  return {
    create: (message: unknown) => send('POST', '', message),
    list: () => send('GET'),
    revoke: (id: string) => send('DELETE', `/${id}`),
  }
}

async function scopesOf({ accounts }: Team, key: string): Promise<readonly Scope[] | undefined> {
  const found = await accounts.authenticate(key)
  return found.kind === 'ok' ? found.principal.scopes : undefined
}

test('a key made with another is narrower, and works', async () => {
  const team = await openTeam()
  const ada = await keyFor(team)
  const { status, body } = await holder(team, ada.key).create({ scopes: ['memories:read'], label: 'laptop' })
  expect([status, await scopesOf(team, body.key)]).toEqual([201, ['memories:read']])
  const list = modernRequest({ method: 'tools/list' })
  const response = await team.fetch(handMade({ ...list, headers: { ...list.headers, ...bearer(body.key) } }))
  expect(response.status).toBe(200)
})

test('it never has more scopes', async () => {
  const team = await openTeam()
  const reader = await keyFor(team, { scopes: ['memories:read'] })
  for (const scopes of [['memories:write'], ['memories:admin'], ['memories:read', 'memories:admin']]) {
    expect((await holder(team, reader.key).create({ scopes })).status).toBe(400)
  }
  for (const scopes of [[], 'memories:read', ['operator'], ['*'], [null], {}, ['memories:read '], null])
    expect((await holder(team, reader.key).create({ scopes })).status, JSON.stringify(scopes)).toBe(400)
  const { body } = await holder(team, reader.key).create({})
  expect(await scopesOf(team, body.key)).toEqual(['memories:read'])
})

test('it has no more than its user may now', async () => {
  const team = await openTeam()
  const admin = await keyFor(team, { scopes: ['memories:admin'] })
  const { body } = await holder(team, admin.key).create({ scopes: ['memories:write'] })
  await team.accounts.members.add({ user: 'ada', space: 'red', role: 'reader' })
  expect(await scopesOf(team, body.key)).toEqual(['memories:read'])
  for (const scopes of [['memories:admin'], ['memories:write']])
    expect((await holder(team, admin.key).create({ scopes })).status).toBe(400)
  const made = await holder(team, admin.key).create({})
  await team.accounts.members.add({ user: 'ada', space: 'red', role: 'admin' })
  expect(await scopesOf(team, made.body.key)).toEqual(['memories:read'])
})

test('it never lives longer', async () => {
  let time = 1_000_000_000
  const team = await openTeam({ time: () => time })
  await team.accounts.users.create({ name: 'ada' })
  const made = { user: 'ada', space: 'red', scopes: ['memories:read'] as const }
  const parent = await team.accounts.keys.create({ ...made, expiresAt: time + HOUR })
  const { create } = holder(team, parent.key)
  for (const expires_in of [3601, 1e9, 1e300, 0, -1, '60', Number.NaN, null, [60]])
    expect((await create({ expires_in })).status, String(expires_in)).toBe(400)
  const [as, shorter] = [(await create({})).body.key, (await create({ expires_in: 60 })).body.key]
  const grandchild = (await holder(team, shorter).create({})).body.key
  time += 60_000
  expect(await scopesOf(team, shorter)).toBeUndefined()
  expect(await scopesOf(team, grandchild)).toBeUndefined()
  expect(await scopesOf(team, as)).toEqual(['memories:read'])
  time += HOUR
  expect(await scopesOf(team, as)).toBeUndefined()
})

test('a life that no date can tell is refused, and keys can still be listed', async () => {
  const team = await openTeam()
  const { create, list } = holder(team, (await keyFor(team)).key)
  expect(await create({ expires_in: 9e12 })).toMatchObject({
    status: 400,
    body: { error: { message: 'a key expires within 100 years, or never' } },
  })
  expect(await list()).toMatchObject({ status: 200, body: { keys: [] } })
})

test('a field that is not known is refused by its name', async () => {
  const team = await openTeam()
  const { create, list } = holder(team, (await keyFor(team)).key)
  const message = 'unknown fields: "expiresAt", "scope"; a key has scopes, expires_in and label'
  expect(await create({ label: 'ci', expiresAt: 1, scope: 'memories:read' })).toMatchObject({
    status: 400,
    body: { error: { message } },
  })
  expect((await list()).body.keys).toEqual([])
})

test('its life is rounded to whole milliseconds', async () => {
  const time = 1_000_000_000
  const team = await openTeam({ time: () => time })
  const { create, list } = holder(team, (await keyFor(team)).key)
  expect((await create({ expires_in: 1.0016 })).status).toBe(201)
  expect((await create({ expires_in: 0.0001 })).status).toBe(400)
  const expires_at = new Date(time + 1002).toISOString()
  expect((await list()).body.keys).toMatchObject([{ expires_at }])
})

test('it goes with the key that made it, and with all above that', async () => {
  const team = await openTeam()
  const ada = await keyFor(team)
  const child = (await holder(team, ada.key).create({})).body
  const grandchild = (await holder(team, child.key).create({})).body
  await team.accounts.keys.revoke(ada.id)
  for (const { key } of [child, grandchild]) {
    expect(await scopesOf(team, key)).toBeUndefined()
    expect((await holder(team, key).list()).status).toBe(401)
    expect((await holder(team, key).create({})).status).toBe(401)
  }
})

test('it survives the rotation of the key that made it', async () => {
  const team = await openTeam()
  const ada = await keyFor(team)
  const child = (await holder(team, ada.key).create({})).body
  const next = await team.accounts.keys.rotate(ada.id)
  expect(await scopesOf(team, child.key)).toBeDefined()
  expect((await holder(team, ada.key).list()).status).toBe(401)
  expect((await holder(team, next.key).list()).body.keys).toMatchObject([{ id: child.id }])
})

test('made with a secret that was replaced, it works for as long as that', async () => {
  let time = 1_000_000_000
  const team = await openTeam({ time: () => time })
  const ada = await keyFor(team)
  await team.accounts.keys.rotate(ada.id, { graceMs: HOUR })
  const { create } = holder(team, ada.key)
  expect((await create({ expires_in: 3601 })).status).toBe(400)
  const { key } = (await create({})).body
  time += HOUR - 1
  expect(await scopesOf(team, key)).toBeDefined()
  time += 1
  expect(await scopesOf(team, key)).toBeUndefined()
})

test('a secret that is replaced while the body arrives makes nothing', async () => {
  const team = await openTeam()
  const ada = await keyFor(team)
  const rotated = Promise.withResolvers<void>()
  const isRead = Promise.withResolvers<void>()
  const body = new ReadableStream(
    {
      async pull(controller) {
        isRead.resolve()
        await rotated.promise
        controller.enqueue(new TextEncoder().encode('{}'))
        controller.close()
      },
    },
    { highWaterMark: 0 },
  )
  const { url, headers } = handMade({ path: '/s/red/keys', message: {}, headers: bearer(ada.key) })
  const response = team.fetch(new Request(url, { method: 'POST', headers, body, duplex: 'half' }))
  await isRead.promise
  await team.accounts.keys.rotate(ada.id)
  rotated.resolve()
  expect((await response).status).toBe(400)
  expect(await team.accounts.keys.list()).toMatchObject([{ id: ada.id }])
})

test('a key lists and revokes those it made, and others are as if they were not there', async () => {
  const team = await openTeam()
  const [ada, bob] = [await keyFor(team), await keyFor(team, { user: 'bob' })]
  const second = await keyFor(team)
  const blue = await keyFor(team, { user: 'dan', space: 'blue' })
  const [child, sibling] = [
    (await holder(team, ada.key).create({})).body,
    (await holder(team, ada.key).create({})).body,
  ]
  const bobs = (await holder(team, bob.key).create({})).body
  const unknown = (id: string) => ({
    status: 404,
    body: {
      jsonrpc: '2.0',
      id: null,
      error: { code: -32000, message: `there is no key "${id}" that this key made` },
    },
  })
  const { list, revoke } = holder(team, child.key)
  expect((await list()).body.keys).toEqual([])
  for (const { id } of [ada, second, bob, bobs, sibling, child, blue, { id: 'Unknown1' }])
    expect(await revoke(id), id).toEqual(unknown(id))
  expect(await holder(team, ada.key).revoke(bobs.id)).toEqual(unknown(bobs.id))
  expect((await holder(team, ada.key).list()).body.keys.map(({ id }: { id: string }) => id)).toEqual([
    child.id,
    sibling.id,
  ])
  expect((await holder(team, ada.key).revoke(child.id)).status).toBe(204)
  expect(await scopesOf(team, child.key)).toBeUndefined()
  for (const { key } of [ada, second, bob, bobs, sibling, blue])
    expect(await scopesOf(team, key)).toBeDefined()
})

test('nothing of a secret is ever listed', async () => {
  const team = await openTeam()
  const ada = await keyFor(team)
  const { key } = (await holder(team, ada.key).create({ label: 'laptop' })).body
  const listed = JSON.stringify((await holder(team, ada.key).list()).body)
  expect(listed).toContain('laptop')
  expect(listed).not.toContain(key.slice(17))
  expect(listed).not.toMatch(/hash|previous|rmdb_pat/)
})

test('a body that is too large is not read to its end, whatever it says of its length', async () => {
  const team = await openTeam()
  const { key } = await keyFor(team)
  for (const headers of [{}, { 'content-length': '5000' }, { 'content-length': '-1' }]) {
    const message = { label: 'x'.repeat(5000) }
    const request = handMade({ path: '/s/red/keys', message, headers: { ...bearer(key), ...headers } })
    expect((await team.fetch(request)).status, JSON.stringify(headers)).toBe(400)
  }
  expect((await holder(team, key).list()).body.keys).toEqual([])
})

test('what a key does with keys counts as its calls do', async () => {
  let time = Date.UTC(2026, 0, 1, 12)
  const team = await openTeam({ rate: { perMinute: 3 }, time: () => time })
  const [ada, second] = [await keyFor(team), await keyFor(team)]
  const { create, list, revoke } = holder(team, ada.key)
  const child = (await create({})).body
  expect((await list()).status).toBe(200)
  expect((await revoke(child.id)).status).toBe(204)
  const refused = {
    status: 429,
    body: { error: { message: 'Rate limit exceeded. Retry after 60s.' } },
    retryAfter: '60',
  }
  for (const call of [() => create({}), list, () => revoke(child.id)])
    expect(await call()).toMatchObject(refused)
  const ping = modernRequest({ method: 'tools/call', params: { name: 'ping', arguments: {} } })
  const called = await team.fetch(handMade({ ...ping, headers: { ...ping.headers, ...bearer(ada.key) } }))
  expect(called.status).toBe(429)
  expect((await holder(team, second.key).list()).status).toBe(200)
  time += 60_000
  expect((await list()).body.keys).toHaveLength(1)
})
