import { expect, test } from 'vitest'
import { clientIdOf } from './client-id.ts'

function withRedirect(uri: string, fields: Record<string, unknown> = {}) {
  return clientIdOf({ client_name: 'A', redirect_uris: [uri], ...fields })
}

test('a public client that registers again is the same client, whatever the order of its fields', () => {
  const again = clientIdOf({ redirect_uris: ['http://localhost/callback'], client_name: 'A' })
  expect(withRedirect('http://localhost/callback')).toBe(again)
  expect(withRedirect('http://localhost/callback', { client_name: 'B' })).not.toBe(again)
})

test.each(['localhost', '127.0.0.1', '[::1]'])(
  'a program that listens on %s is the same at any port',
  (host) => {
    expect(withRedirect(`http://${host}:41733/callback`)).toBe(withRedirect(`http://${host}:58135/callback`))
    expect(withRedirect(`http://${host}:41733/a`)).not.toBe(withRedirect(`http://${host}:41733/b`))
  },
)

test('a site at another port is another client', () => {
  expect(withRedirect('https://a.example:1/')).not.toBe(withRedirect('https://a.example:2/'))
})

test('a client with a secret is always a new one', () => {
  const fields = { token_endpoint_auth_method: 'client_secret_post' }
  expect(withRedirect('https://a.example/', fields)).not.toBe(withRedirect('https://a.example/', fields))
})
