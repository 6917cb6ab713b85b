import { expect, test } from 'vitest'
import { createSpace } from '../../src/runtime/spaces/create-space.ts'
import {
  ask,
  callMcp,
  getCode,
  getTokens,
  openTarget,
  redeem,
  refresh,
  statusOf,
} from '../support/attacker.ts'
import { addPerson, formFor, openPerson, PASSWORD, type People } from '../support/people.ts'

test('agreeing again does not bring old tokens back', async () => {
  const server = await openTarget()
  const person = openPerson(server.url)
  const old = await getTokens(server, { person })
  const [grant] = await server.accounts.grants.list()
  await server.accounts.grants.revoke(grant?.id ?? '')
  const renewed = await getTokens(server, { person })
  expect((await server.accounts.grants.list()).map(({ id }) => id)).toEqual([grant?.id])
  expect(await statusOf(callMcp(server.url, renewed.access_token))).toBe(200)
  expect(await statusOf(callMcp(server.url, old.access_token))).toBe(401)
  expect((await refresh(server.url, old.refresh_token)).body.error).toBe('invalid_grant')
})

/** A client in the middle of everything: with tokens, a code, and a person who was asked again. */
async function connect(server: People) {
  const person = openPerson(server.url)
  const tokens = await getTokens(server, { person })
  const code = await getCode(server, { person })
  const asked = await person.go(ask(server.url, { prompt: 'consent' }).href)
  return { person, tokens, code, asked }
}

type Connected = Awaited<ReturnType<typeof connect>>

async function expectNothingWorks(
  { url }: People,
  { person, tokens, code, asked }: Connected,
): Promise<void> {
  expect(await statusOf(callMcp(url, tokens.access_token))).toBeGreaterThanOrEqual(401)
  expect((await refresh(url, tokens.refresh_token)).body.error).toMatch(/^invalid_(grant|target)$/)
  expect((await redeem(url, code)).body.error).toMatch(/^invalid_(grant|target)$/)
  const answer = await person.send(formFor(asked, '/auth/consent/'), { decision: 'allow' })
  expect(new URL(answer.url).searchParams.has('code')).toBe(false)
  expect(answer.status).toBeLessThan(500)
}

test('a user who is disabled can do nothing, and neither can their clients', async () => {
  const server = await openTarget()
  const connected = await connect(server)
  await server.accounts.users.disable('ada')
  await expectNothingWorks(server, connected)
  const page = await connected.person.go('/auth/clients')
  expect(page.url).toContain('/auth/login')
  expect((await connected.person.signIn(page)).status).toBe(401)
})

test('a user with the name of a deleted one gets none of their clients', async () => {
  const server = await openTarget()
  const connected = await connect(server)
  await server.accounts.users.delete('ada')
  await addPerson(server)
  await expectNothingWorks(server, connected)
  expect(await server.accounts.grants.list()).toEqual([])
})

test('a user who is no longer a member has no access, nor have their clients when they return', async () => {
  const server = await openTarget()
  const connected = await connect(server)
  await server.accounts.members.remove({ user: 'ada', space: 'team' })
  await expectNothingWorks(server, connected)
  await addPerson(server)
  expect(await statusOf(callMcp(server.url, connected.tokens.access_token))).toBe(401)
})

test('a space with the name of a deleted one is another space', async () => {
  const server = await openTarget()
  const { accounts, dir } = server
  const connected = await connect(server)
  await accounts.spaces.delete('team')
  await createSpace({ dir, accounts }, { name: 'team' })
  await expectNothingWorks(server, connected)
  await addPerson(server)
  expect(await statusOf(callMcp(server.url, connected.tokens.access_token))).toBe(401)
  expect((await refresh(server.url, connected.tokens.refresh_token)).body.error).toBe('invalid_grant')
})

test('a space that takes the name of a renamed one is not open to its clients', async () => {
  const server = await openTarget()
  const { accounts, dir } = server
  const { tokens } = await connect(server)
  await accounts.spaces.rename('team', 'renamed')
  await createSpace({ dir, accounts }, { name: 'team' })
  await addPerson(server)
  expect(await statusOf(callMcp(server.url, tokens.access_token))).toBe(404)
  expect((await refresh(server.url, tokens.refresh_token)).body.error).toBe('invalid_grant')
})

test('a client that is removed can do nothing', async () => {
  const server = await openTarget()
  const { person, tokens, code } = await connect(server)
  const [grant] = await server.accounts.grants.list()
  await server.accounts.clients.remove(grant?.clientId ?? '')
  expect(await statusOf(callMcp(server.url, tokens.access_token))).toBe(401)
  expect((await refresh(server.url, tokens.refresh_token)).body.error).toBe('invalid_grant')
  expect((await redeem(server.url, code)).body.error).toBe('invalid_grant')
  expect((await person.go('/auth/clients')).html).not.toContain('client.example')
})

test('a new password ends what was signed in with the old one', async () => {
  const server = await openTarget()
  const person = openPerson(server.url)
  await person.signIn(await person.go('/auth/login'))
  await server.accounts.passwords.set('ada', `${PASSWORD} again`)
  const page = await person.go('/auth/clients')
  expect(page.url).toContain('/auth/login')
  expect((await person.signIn(page)).status).toBe(401)
})
