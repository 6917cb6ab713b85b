import { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type Provider from 'oidc-provider'
import type { HttpConnection } from '../../http/connection.ts'
import { OAUTH_PATHS, OAUTH_SCOPES } from './paths.ts'

const addresses = new AsyncLocalStorage<string>()

/** Of the client whose request the provider is answering, for the audit. */
export function currentAddress(): string {
  return addresses.getStore() ?? ''
}

/** Gives requests to the provider as sent to the public URL. What a request says of the server's name is not believed. */
export function createBridge(provider: () => Promise<Provider>, publicUrl: () => string) {
  return async (
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    { address }: HttpConnection,
  ): Promise<void> => {
    const { host, protocol } = new URL(publicUrl())
    Object.assign(incoming.headers, {
      host,
      'x-forwarded-host': host,
      'x-forwarded-proto': protocol.slice(0, -1),
    })
    delete incoming.headers['x-forwarded-for']
    delete incoming.headers.forwarded
    if (isAuthorization(incoming.url) && incoming.method !== 'GET') return refuseMethod(outgoing)
    incoming.url = withKnownScopes(incoming.url ?? '/')
    const answer = (await provider()).callback()
    await addresses.run(address, () => answer(incoming, outgoing))
  }
}

function isAuthorization(target = '/'): boolean {
  return URL.parse(target, 'http://localhost')?.pathname === OAUTH_PATHS.authorization
}

function refuseMethod(outgoing: ServerResponse): void {
  outgoing.writeHead(405, { allow: 'GET', 'content-type': 'text/plain; charset=utf-8' })
  outgoing.end('send the request for access as a GET')
}

/** Clients ask for what they ask everywhere, or for nothing: what is not known is left out, and read and write is what agents need. */
export function withKnownScopes(target: string): string {
  const url = URL.parse(target, 'http://localhost')
  if (!url || !isAuthorization(target) || url.searchParams.getAll('scope').length > 1) return target
  const asked = (url.searchParams.get('scope') ?? '').split(' ')
  const known = OAUTH_SCOPES.filter((scope) => asked.includes(scope))
  url.searchParams.set('scope', (known.length === 0 ? OAUTH_SCOPES : known).join(' '))
  return `${url.pathname}${url.search}`
}
