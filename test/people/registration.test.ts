import { expect, test } from 'vitest'
import { ask, discover, EXAMPLE, postRegistration } from '../support/oauth-client.ts'
import { addPerson, openPeople, openPerson } from '../support/people.ts'

const CONFIDENTIAL = {
  redirectUri: 'https://app.example/callback',
  registration: {
    client_name: 'App',
    redirect_uris: ['https://app.example/callback'],
    token_endpoint_auth_method: 'client_secret_post',
  },
}

test('a client that registers with each connection is one client, whatever its port', async () => {
  const server = await openPeople()
  const { clientId } = await discover(server, EXAMPLE)
  for (const port of [41733, 58135]) {
    const registration = { client_name: 'Example', redirect_uris: [`http://localhost:${port}/callback`] }
    expect((await discover(server, { ...EXAMPLE, registration })).clientId).toBe(clientId)
  }
  expect(await server.accounts.clients.list()).toHaveLength(1)
})

test('two users let the same client in, each for themselves', async () => {
  const server = await openPeople()
  await addPerson(server)
  await addPerson(server, { name: 'bob' })
  const client = await discover(server, EXAMPLE)
  const ada = await client.connect()
  const bob = await client.connect({ name: 'bob' })
  const [grant] = await server.accounts.grants.list({ user: 'ada' })
  await server.accounts.grants.revoke(grant?.id ?? '')
  expect((await ask(client.endpoint, ada.access_token)).status).toBe(401)
  expect((await ask(client.endpoint, bob.access_token)).status).toBe(200)
})

test('a client with a secret belongs to the first user who lets it in', async () => {
  const server = await openPeople()
  await addPerson(server)
  await addPerson(server, { name: 'bob' })
  const client = await discover(server, CONFIDENTIAL)
  expect(client.secret).toMatch(/^\S{32,}$/)
  const tokens = await client.connect()
  const bob = openPerson(server.url)
  const page = await bob.signIn(await bob.go(client.request().href), 'bob')
  expect(page.status).toBe(403)
  expect(page.html).toContain('This client is already associated with a different user account.')
  expect((await ask(client.endpoint, tokens.access_token)).status).toBe(200)
  expect((await client.refresh(tokens.refresh_token)).status).toBe(200)
})

test('a client with a secret is a new one each time, and proves who it is', async () => {
  const server = await openPeople()
  await addPerson(server)
  const client = await discover(server, CONFIDENTIAL)
  expect((await discover(server, CONFIDENTIAL)).clientId).not.toBe(client.clientId)
  const tokens = await client.connect()
  const wrong = await client.refresh(tokens.refresh_token, { client_secret: 'wrong' })
  expect(wrong.status).toBe(401)
  expect(await wrong.json()).toMatchObject({ error: 'invalid_client' })
})

test('a client that is not known is told to register', async () => {
  const server = await openPeople()
  await addPerson(server)
  const client = await discover(server, EXAMPLE)
  const tokens = await client.connect()
  await server.accounts.clients.remove(client.clientId)
  const refused = await client.refresh(tokens.refresh_token)
  expect(refused.status).toBe(401)
  expect(await refused.json()).toMatchObject({ error: 'invalid_client' })
  // The same client as before, and nothing of what it had.
  expect((await discover(server, EXAMPLE)).clientId).toBe(client.clientId)
  expect((await client.refresh(tokens.refresh_token)).status).toBe(400)
})

test('a registration says what was made of it', async () => {
  const server = await openPeople()
  const { server: metadata } = await discover(server, EXAMPLE)
  const response = await postRegistration(metadata, {
    ...EXAMPLE.registration,
    scope: 'openid email',
    grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
  })
  expect(response.status).toBe(201)
  const answer = (await response.json()) as Record<string, unknown>
  expect(answer).toMatchObject({
    ...EXAMPLE.registration,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  })
  expect(answer).not.toHaveProperty('client_secret')
})
