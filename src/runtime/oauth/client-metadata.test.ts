import { expect, test } from 'vitest'
import { usableDocument, usableMetadata } from './client-metadata.ts'

const PUBLIC = { client_name: 'A', redirect_uris: ['http://localhost/callback'] }

test('a client that does not say how it authenticates has no secret', () => {
  expect(usableMetadata(PUBLIC)).toEqual({ ...PUBLIC, token_endpoint_auth_method: 'none' })
})

test('fields that this server does not use are left out', () => {
  const given = { ...PUBLIC, scope: 'openid', application_type: 'web', jwks_uri: 'https://a.example/keys' }
  expect(usableMetadata(given)).toEqual(usableMetadata(PUBLIC))
})

test('a field without a value is as one that is not there', () => {
  expect(usableMetadata({ ...PUBLIC, client_uri: '', grant_types: null })).toEqual(usableMetadata(PUBLIC))
})

test('grants that there are not here are left out', () => {
  const given = { ...PUBLIC, grant_types: ['authorization_code', 'implicit'] }
  expect(usableMetadata(given).grant_types).toEqual(['authorization_code'])
  // Without any there is nothing left to grant, which the provider says.
  expect(usableMetadata({ ...PUBLIC, grant_types: ['implicit'] }).grant_types).toEqual(['implicit'])
})

test('a client that can do without its preferred way to authenticate does', () => {
  const preferred = { ...PUBLIC, token_endpoint_auth_method: 'private_key_jwt' }
  const methods = ['private_key_jwt', 'none']
  expect(usableMetadata(preferred).token_endpoint_auth_method).toBe('private_key_jwt')
  const both = usableMetadata({ ...preferred, token_endpoint_auth_methods_supported: methods })
  expect(both.token_endpoint_auth_method).toBe('none')
})

test('a document keeps its headers, without the length that it had', async () => {
  const headers = {
    'cache-control': 'max-age=60',
    'content-length': '999',
    'content-type': 'application/json',
  }
  const response = await usableDocument(new Response(JSON.stringify({ ...PUBLIC, a: 1 }), { headers }))
  expect(Object.fromEntries(response.headers)).toEqual({
    'cache-control': 'max-age=60',
    'content-type': 'application/json',
  })
  expect(await response.json()).toEqual(usableMetadata(PUBLIC))
})

test.each(['no JSON', '[]', 'null', '"text"', JSON.stringify({ ...PUBLIC, padding: 'x'.repeat(6000) })])(
  'what is no usable document is left to the provider: %#',
  async (text) => {
    expect(await (await usableDocument(new Response(text))).text()).toBe(text)
  },
)

test('a refusal stays one', async () => {
  expect((await usableDocument(new Response('not found', { status: 404 }))).status).toBe(404)
})
