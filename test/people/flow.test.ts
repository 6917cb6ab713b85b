import { expect, test } from 'vitest'
import { callMcp } from '../support/attacker.ts'
import { addPerson, createVerifier, openPeople, openPerson } from '../support/people.ts'

const DOCUMENT = 'https://client.example/metadata'
const REDIRECT = 'http://localhost:58135/callback'

function authorizationUrl(url: string, fields: Record<string, string> = {}) {
  const { verifier, challenge } = createVerifier()
  const query = new URLSearchParams({
    ...{ response_type: 'code', client_id: DOCUMENT, redirect_uri: REDIRECT, state: 'abc' },
    ...{ code_challenge: challenge, code_challenge_method: 'S256', resource: `${url}/s/team/mcp`, ...fields },
  })
  return { verifier, href: `${url}/oauth/authorize?${query}` }
}

test('a client gets a token after a person signed in and agreed', async () => {
  const server = await openPeople({
    documents: {
      [DOCUMENT]: {
        client_id: DOCUMENT,
        client_name: 'Example',
        redirect_uris: ['http://localhost/callback'],
        token_endpoint_auth_method: 'none',
      },
    },
  })
  await addPerson(server)
  const { verifier, href } = authorizationUrl(server.url)
  const person = openPerson(server.url)
  const back = await person.agree(href)
  expect(`${back.origin}${back.pathname}`).toBe(REDIRECT)
  expect(back.searchParams.get('state')).toBe('abc')
  expect(back.searchParams.get('iss')).toBe(server.url)
  const token = await fetch(`${server.url}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code: back.searchParams.get('code') ?? '',
      redirect_uri: REDIRECT,
      client_id: DOCUMENT,
      code_verifier: verifier,
    }),
  })
  const body = (await token.json()) as Record<string, string>
  expect(body).toMatchObject({
    token_type: 'Bearer',
    expires_in: 3600,
    scope: 'memories:read memories:write',
  })
  const answer = await callMcp(server.url, body.access_token)
  expect(answer.status).toBe(200)
})
