import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type Provider from 'oidc-provider'
import type { InteractionResults } from 'oidc-provider'
import type { Scope } from '../../core/access/scopes.ts'
import { isScope } from '../../core/access/scopes.ts'
import type { Resource, Resources } from './resources.ts'

/** What a client asks a user for. */
export interface AccessRequest {
  client: RequestingClient
  /** Where the browser goes with the answer. */
  redirectUri: string
  resource: Resource
  scopes: Scope[]
  /** The client wants the user to be asked, even if they agreed before. */
  mustAsk: boolean
  /** In Unix milliseconds: a login before that does not count. Undefined: any does. */
  loginAfter: number | undefined
  /** Ends it. Returns the URL at which the browser goes on. */
  finish(result: InteractionResults): Promise<string>
}

export interface RequestingClient {
  id: string
  /** As it calls itself. */
  name: string
  /** Of its metadata document, which only the owner of that host can have put there. */
  host: string | undefined
  isConfidential: boolean
}

/** The request that this browser was sent here with; undefined where it expired, or belongs to another browser. */
export async function findRequest(
  provider: Provider,
  resources: Resources,
  request: Request,
): Promise<AccessRequest | undefined> {
  const [incoming, outgoing] = asNode(request)
  const found = await provider.interactionDetails(incoming, outgoing).catch(() => undefined)
  const client = found && (await provider.Client.find(String(found.params.client_id)))
  const resource = found && resources.parse(resources.asked(found.params.resource)[0] ?? '')
  if (!client || !resource) return undefined
  const { params, prompt, iat } = found
  const prompts = String(params.prompt ?? '').split(' ')
  return {
    client: {
      id: client.clientId,
      name: client.clientName ?? '',
      host: URL.parse(client.clientId)?.host,
      isConfidential: client.clientAuthMethod !== 'none',
    },
    redirectUri: String(params.redirect_uri ?? client.redirectUris?.[0]),
    resource,
    scopes: String(params.scope ?? '')
      .split(' ')
      .filter(isScope),
    mustAsk: prompts.includes('consent') || prompt.name === 'consent',
    loginAfter: prompts.includes('login') ? iat * 1000 : undefined,
    finish: (result) => provider.interactionResult(incoming, outgoing, result),
  }
}

/** The provider takes a request of Node, of which it reads the cookies. */
function asNode(request: Request): [IncomingMessage, ServerResponse] {
  const incoming = new IncomingMessage(new Socket())
  incoming.headers = { cookie: request.headers.get('cookie') ?? '' }
  incoming.method = request.method
  incoming.url = new URL(request.url).pathname
  return [incoming, new ServerResponse(incoming)]
}
