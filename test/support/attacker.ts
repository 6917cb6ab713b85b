import { request } from 'node:http'
import {
  addPerson,
  createVerifier,
  openPeople,
  openPerson,
  type People,
  type PeopleOptions,
} from './people.ts'
import { quickHash } from './test-accounts.ts'

export const DOCUMENT = 'https://client.example/metadata'
export const REDIRECT = 'http://localhost:58135/callback'

/** The metadata document of a client, with `changes`. */
export function documentOf(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    client_id: DOCUMENT,
    client_name: 'Example',
    redirect_uris: ['http://localhost/callback'],
    token_endpoint_auth_method: 'none',
    ...changes,
  }
}

/** A server with one client, known by its document, and one person, who may write in `team`. */
export async function openTarget(options: PeopleOptions = {}): Promise<People> {
  const documents = { [DOCUMENT]: documentOf() }
  const server = await openPeople({ documents, scrypt: quickHash, ...options })
  await addPerson(server)
  return server
}

export interface Asked {
  verifier: string
  href: string
}

/** A request for access. `changes` replace its parameters; undefined leaves one out, a list repeats it. */
export function ask(url: string, changes: Record<string, string | string[] | undefined> = {}): Asked {
  const { verifier, challenge } = createVerifier()
  const fields = {
    ...{ response_type: 'code', client_id: DOCUMENT, redirect_uri: REDIRECT, state: 'abc' },
    ...{ code_challenge: challenge, code_challenge_method: 'S256', resource: `${url}/s/team/mcp` },
    ...changes,
  }
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(fields))
    for (const one of value === undefined ? [] : [value].flat()) query.append(name, one)
  return { verifier, href: `${url}/oauth/authorize?${query}` }
}

/** What the server answers to a form that a client sends. */
export interface Answer {
  status: number
  headers: Headers
  body: Record<string, string>
}

export async function post(
  url: string,
  fields: Record<string, string> | URLSearchParams,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams(fields), headers })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : { text } }
}

export function redeem(
  url: string,
  { code, verifier }: { code: string; verifier: string },
  changes: Record<string, string> = {},
): Promise<Answer> {
  return post(`${url}/oauth/token`, {
    ...{ grant_type: 'authorization_code', client_id: DOCUMENT, redirect_uri: REDIRECT },
    ...{ code, code_verifier: verifier, ...changes },
  })
}

export function refresh(url: string, token = '', changes: Record<string, string> = {}): Promise<Answer> {
  return post(`${url}/oauth/token`, {
    ...{ grant_type: 'refresh_token', client_id: DOCUMENT, refresh_token: token, ...changes },
  })
}

/** A code that a person agreed to, not yet redeemed. */
export async function getCode(
  { url }: Pick<People, 'url'>,
  { changes = {}, person = openPerson(url), name = 'ada', choose = {} }: GetOptions = {},
): Promise<{ code: string; verifier: string }> {
  const { href, verifier } = ask(url, changes)
  const back = await person.agree(href, { name, changes: choose })
  return { code: back.searchParams.get('code') ?? '', verifier }
}

interface GetOptions {
  changes?: Record<string, string | string[] | undefined>
  person?: ReturnType<typeof openPerson>
  name?: string
  /** What the person fills in. */
  choose?: Record<string, string | string[]>
}

/** An access token and a refresh token. */
export async function getTokens(
  server: Pick<People, 'url'>,
  options: GetOptions = {},
): Promise<Record<string, string>> {
  const { client_id: client } = options.changes ?? {}
  const redirect = options.changes?.redirect_uri
  const { body } = await redeem(server.url, await getCode(server, options), {
    ...(typeof client === 'string' && { client_id: client }),
    ...(typeof redirect === 'string' && { redirect_uri: redirect }),
  })
  return body
}

/** Begins to use an MCP endpoint. */
export function callMcp(url: string, token?: string, path = '/s/team/mcp'): Promise<Response> {
  return fetch(`${url}${path}`, {
    method: 'POST',
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
    }),
  })
}

export async function statusOf(answer: Promise<Response>): Promise<number> {
  const response = await answer
  await response.body?.cancel()
  return response.status
}

export interface RawResponse {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
}

/** A request as nobody but an attacker sends it: `fetch` does not let a program say what `Host` and `Origin` are. */
export function send(
  url: string,
  target: string,
  { method = 'GET', headers = {}, body = '' }: { method?: string; headers?: object; body?: string } = {},
): Promise<RawResponse> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const sent = request(
      { hostname, port, path: target, method, headers: { ...headers }, agent: false },
      async (response) => {
        const pieces: Buffer[] = []
        for await (const piece of response) pieces.push(piece)
        const text = Buffer.concat(pieces).toString()
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text })
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}

/** Registers a client. */
export async function register(
  url: string,
  metadata: unknown,
): Promise<{ status: number; headers: Headers; body: Record<string, unknown> }> {
  const response = await fetch(`${url}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof metadata === 'string' ? metadata : JSON.stringify(metadata),
  })
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Record<string, unknown>,
  }
}
