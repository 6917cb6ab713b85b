import { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type Provider from 'oidc-provider'
import type { Scope } from '../../core/access/scopes.ts'
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
    const method = methodOf(incoming.url)
    if (incoming.method !== method) return refuseMethod(outgoing, method)
    incoming.url = withKnownParameters(incoming.url ?? '/')
    const answer = (await provider()).callback()
    await addresses.run(address, () => answer(incoming, outgoing))
  }
}

/** Browsers are sent to the authorization endpoint and back to it; clients send forms and documents to the others. */
function methodOf(target = '/'): 'GET' | 'POST' {
  const path = URL.parse(target, 'http://localhost')?.pathname ?? ''
  const isForBrowsers = path === OAUTH_PATHS.authorization || path.startsWith(`${OAUTH_PATHS.authorization}/`)
  return isForBrowsers ? 'GET' : 'POST'
}

function refuseMethod(outgoing: ServerResponse, method: string): void {
  outgoing.writeHead(405, { allow: method, 'content-type': 'text/plain; charset=utf-8' })
  outgoing.end(`send this request as a ${method}`)
}

/** The request of a client as the provider is given it. Parameters that are there twice are left for it to refuse. */
export function withKnownParameters(target: string): string {
  const url = URL.parse(target, 'http://localhost')
  if (url?.pathname !== OAUTH_PATHS.authorization) return target
  const { searchParams } = url
  if (searchParams.getAll('scope').length <= 1)
    searchParams.set('scope', knownScopes(searchParams.get('scope') ?? '').join(' '))
  const [mode = 'query', another] = searchParams.getAll('response_mode')
  if (mode !== 'query' && another === undefined) searchParams.set('response_mode', UNSUPPORTED)
  return `${url.pathname}${url.search}`
}

/** The provider knows more ways to answer than this server wants, such as a page with a script: it refuses what it does not know. */
const UNSUPPORTED = 'unsupported'

/** Clients ask for what they ask everywhere, or for nothing: what is not known is left out, and read and write is what agents need. */
function knownScopes(asked: string): readonly Scope[] {
  const known = OAUTH_SCOPES.filter((scope) => asked.split(' ').includes(scope))
  return known.length === 0 ? OAUTH_SCOPES : known
}
