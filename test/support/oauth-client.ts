import { createVerifier, openPerson, type People, type Person } from './people.ts'
import type { Team } from './team.ts'
import { answerOf, modernRequest } from './team-requests.ts'

// biome-ignore lint/suspicious/noExplicitAny: what is read is what others parse, untyped
type Json = Record<string, any>

/** What a program that connects to a server does in its own way. */
export interface ClientShape {
  /** The URL of its metadata document. Default: it registers itself. */
  document?: string
  registration?: Record<string, unknown>
  /** With the port that it listens at this time. */
  redirectUri: string
  /** What it adds to the request for access, after what it learned of the server. */
  authorization?: (known: { resource: Json; server: Json }) => Record<string, string>
}

export interface TokenAnswer {
  access_token: string
  refresh_token: string
  expires_in: number
  scope: string
  token_type: string
}

export interface Agreed {
  person?: Person
  /** Who signs in. */
  name?: string
  /** Fields of the consent page. */
  changes?: Record<string, string | string[]>
}

export type OAuthClient = Awaited<ReturnType<typeof discover>>

/** A client that was given the URL of an endpoint, and knows nothing else of the server. */
export async function discover({ url }: Pick<People, 'url'>, shape: ClientShape, path = '/s/team/mcp') {
  const endpoint = `${url}${path}`
  const refused = await fetch(endpoint, { method: 'POST' })
  const challenge = refused.headers.get('www-authenticate') ?? ''
  const resource = await getJson(/resource_metadata="([^"]+)"/.exec(challenge)?.[1])
  const server = await getJson(`${resource.authorization_servers[0]}/.well-known/oauth-authorization-server`)
  const registered: Json = shape.document === undefined ? await register(server, shape) : {}
  const clientId: string = shape.document ?? registered.client_id
  const secret: string | undefined = registered.client_secret

  /** The URL that the client opens in a browser. */
  function request(fields: Record<string, string> = {}): { href: string; verifier: string } {
    const { verifier, challenge: code_challenge } = createVerifier()
    const query = new URLSearchParams({
      ...{ response_type: 'code', client_id: clientId, redirect_uri: shape.redirectUri, state: 'xyz' },
      ...{ code_challenge, code_challenge_method: 'S256', resource: resource.resource },
      ...shape.authorization?.({ resource, server }),
      ...fields,
    })
    return { href: `${server.authorization_endpoint}?${query}`, verifier }
  }

  function post(to: string, fields: Record<string, string>): Promise<Response> {
    const own = { client_id: clientId, ...(secret !== undefined && { client_secret: secret }) }
    return fetch(to, { method: 'POST', body: new URLSearchParams({ ...own, ...fields }) })
  }

  return {
    endpoint,
    status: refused.status,
    challenge,
    resource,
    server,
    clientId,
    secret,
    request,
    exchange: (back: URL, verifier: string): Promise<Response> =>
      post(server.token_endpoint, {
        ...{ grant_type: 'authorization_code', code: back.searchParams.get('code') ?? '' },
        ...{ redirect_uri: shape.redirectUri, code_verifier: verifier, resource: resource.resource },
      }),
    /** All of it: a person agrees, and the client has its tokens. */
    async connect({ person = openPerson(url), ...agreed }: Agreed = {}, fields: Record<string, string> = {}) {
      const { href, verifier } = request(fields)
      const back = await person.agree(href, agreed)
      if (!back.searchParams.has('code')) throw new Error(`no code: ${back.href}`)
      return tokensIn(await this.exchange(back, verifier))
    },
    refresh: (token: string, fields: Record<string, string> = {}): Promise<Response> =>
      post(server.token_endpoint, { grant_type: 'refresh_token', refresh_token: token, ...fields }),
    revoke: (token: string): Promise<Response> => post(server.revocation_endpoint, { token }),
  }
}

export async function tokensIn(response: Response): Promise<TokenAnswer> {
  const answer = (await response.json()) as TokenAnswer
  if (response.status !== 200) throw new Error(`no token: ${JSON.stringify(answer)}`)
  return answer
}

async function register(server: Json, { registration }: ClientShape): Promise<Json> {
  const response = await postRegistration(server, registration ?? {})
  const answer = (await response.json()) as Json
  if (response.status !== 201) throw new Error(`not registered: ${JSON.stringify(answer)}`)
  return answer
}

export function postRegistration(server: Json, registration: Record<string, unknown>): Promise<Response> {
  return fetch(server.registration_endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(registration),
  })
}

async function getJson(url = ''): Promise<Json> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url} answers ${response.status}`)
  return response.json() as Promise<Json>
}

/** A public client with nothing special about it. */
export const EXAMPLE: ClientShape = {
  redirectUri: 'http://localhost:58135/callback',
  registration: { client_name: 'Example', redirect_uris: ['http://localhost/callback'] },
}

/** For what sends requests by hand. */
export function requestsTo({ url }: Pick<People, 'url'>): Pick<Team, 'fetch'> {
  return { fetch: (request) => fetch(new Request(`${url}${new URL(request.url).pathname}`, request)) }
}

/** Sends one message of 2026-07-28 with a token. */
export function ask(
  endpoint: string,
  token: string,
  method = 'tools/list',
  params: Record<string, unknown> = {},
): Promise<Response> {
  const { headers, message } = modernRequest({ method, params })
  return fetch(endpoint, {
    method: 'POST',
    headers: {
      ...{ authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...{ accept: 'application/json, text/event-stream', ...headers },
    },
    body: JSON.stringify(message),
  })
}

/** The answer of a tool. */
export async function callTool(endpoint: string, token: string, name: string, args = {}): Promise<Json> {
  return answerOf(await ask(endpoint, token, 'tools/call', { name, arguments: args }))
}
