import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type Provider from 'oidc-provider'
import { errors, type InteractionResults } from 'oidc-provider'
import { isScope, type Scope } from '../../core/access/scopes.ts'
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
}

export interface RequestingClient {
  id: string
  /** As it calls itself. */
  name: string
  /** Of its metadata document, which only the owner of that host can have put there. */
  host: string | undefined
  isConfidential: boolean
}

/** A request that this browser was sent here with. */
export interface OwnRequest extends AccessRequest {
  /** Ends it. Returns the URL at which the browser goes on. */
  finish(result: InteractionResults): Promise<string>
}

type Interaction = Pick<InstanceType<Provider['Interaction']>, 'params' | 'prompt' | 'iat'>

/** Reads what clients ask for. Undefined: the request expired. */
export function createRequests(provider: () => Promise<Provider>, resources: Resources) {
  async function describe({ params, prompt, iat }: Interaction): Promise<AccessRequest | undefined> {
    const client = await findClient(String(params.client_id))
    const resource = resources.parse(resources.asked(params.resource)[0] ?? '')
    if (!client || !resource) return undefined
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
    }
  }

  /** Undefined also for one whose document cannot be had any more. */
  async function findClient(id: string) {
    try {
      return await (await provider()).Client.find(id)
    } catch (error) {
      if (error instanceof errors.OIDCProviderError) return undefined
      throw error
    }
  }

  return {
    /** For whoever knows its id, such as the page for signing in. */
    async find(id: string): Promise<AccessRequest | undefined> {
      const found = await (await provider()).Interaction.find(id)
      return found && describe(found)
    },
    /** To be answered. Undefined also where another browser was sent here with it: nobody answers for somebody else. */
    async ofBrowser(request: Request, id: string): Promise<OwnRequest | undefined> {
      const [incoming, outgoing] = asNode(request)
      const owner = await provider()
      const found = await owner.interactionDetails(incoming, outgoing).catch(() => undefined)
      const asked = found?.uid === id ? await describe(found) : undefined
      return asked && { ...asked, finish: (result) => owner.interactionResult(incoming, outgoing, result) }
    },
  }
}

export type Requests = ReturnType<typeof createRequests>

/** The provider takes a request of Node, of which it reads the cookies. */
function asNode(request: Request): [IncomingMessage, ServerResponse] {
  const incoming = new IncomingMessage(new Socket())
  incoming.headers = { cookie: request.headers.get('cookie') ?? '' }
  incoming.method = request.method
  incoming.url = new URL(request.url).pathname
  return [incoming, new ServerResponse(incoming)]
}
