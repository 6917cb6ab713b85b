import type { Revision } from './mcp.ts'
import { PUBLIC_URL, type Team } from './team.ts'
import { eventsOf } from './web.ts'

export interface HandMade {
  method?: string
  path?: string
  headers?: Record<string, string>
  /** Sent as JSON. */
  message?: unknown
  signal?: AbortSignal
}

/** A request as somebody writes it by hand. */
export function handMade({
  method = 'POST',
  path = '/mcp',
  headers = {},
  message,
  signal,
}: HandMade): Request {
  const body = message === undefined ? undefined : JSON.stringify(message)
  return new Request(`${PUBLIC_URL}${path}`, {
    method,
    headers: {
      host: 'localhost',
      accept: 'application/json, text/event-stream',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
    ...(signal && { signal }),
  })
}

export interface Asked {
  method: string
  params?: Record<string, unknown>
  /** None: a notification. */
  id?: number | undefined
}

/** Requests that name in a header what they are about. */
const NAMED: Record<string, string> = { 'tools/call': 'name', 'prompts/get': 'name', 'resources/read': 'uri' }

/** A message of 2026-07-28, which says everything about its client. */
export function modernRequest({ method, params = {}, id = 1 }: Asked): Pick<HandMade, 'headers' | 'message'> {
  const name = params[NAMED[method] ?? '']
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'by-hand', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
    ...(params._meta as object | undefined),
  }
  return {
    headers: {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof name === 'string' && { 'mcp-name': name }),
    },
    message: { jsonrpc: '2.0', id, method, params: { ...params, _meta } },
  }
}

/** A message of 2025-11-25, in a session. */
export function legacyRequest(
  { method, params, id = 1 }: Asked,
  session: string | undefined,
): Pick<HandMade, 'headers' | 'message'> {
  return {
    headers: sessionHeaders(session),
    message: {
      jsonrpc: '2.0',
      ...(method.startsWith('notifications/') ? {} : { id }),
      method,
      ...(params && { params }),
    },
  }
}

export function sessionHeaders(session: string | undefined): Record<string, string> {
  return session === undefined ? {} : { 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' }
}

export const INITIALIZE: Asked = {
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'by-hand', version: '1' } },
}

export function bearer(key: string): Record<string, string> {
  return { authorization: `Bearer ${key}` }
}

/** Begins a session. The answer is its id. */
export async function beginSession(
  { fetch }: Pick<Team, 'fetch'>,
  key: string,
  path = '/mcp',
): Promise<string> {
  const { message } = legacyRequest(INITIALIZE, undefined)
  const response = await fetch(handMade({ path, message, headers: bearer(key) }))
  await response.text()
  const id = response.headers.get('mcp-session-id') ?? ''
  const begun = legacyRequest({ method: 'notifications/initialized' }, id)
  await fetch(handMade({ path, ...begun, headers: { ...begun.headers, ...bearer(key) } }))
  return id
}

// biome-ignore lint/suspicious/noExplicitAny: what is read is what others parse, untyped
export type Message = any

/** The message that answers a request, over either kind of response. */
export async function answerOf(response: Response): Promise<Message> {
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) {
    const text = await response.text()
    return text === '' ? undefined : JSON.parse(text)
  }
  for await (const { message } of eventsOf(response)) if (message.id !== undefined) return message
  return undefined
}

export interface Person {
  key: string
  revision: Revision
  path?: string
}

/** A client that asks by hand. */
export async function personWith(team: Pick<Team, 'fetch'>, { key, revision, path = '/mcp' }: Person) {
  const session = revision === '2025-11-25' ? await beginSession(team, key, path) : undefined
  async function send(asked: Asked): Promise<Response> {
    const made = session === undefined ? modernRequest(asked) : legacyRequest(asked, session)
    return team.fetch(handMade({ path, ...made, headers: { ...made.headers, ...bearer(key) } }))
  }
  const ask = async (method: string, params: Record<string, unknown> = {}): Promise<Message> =>
    answerOf(await send({ method, params }))
  return {
    session,
    send,
    ask,
    /** The whole answer of a tool. */
    call: (name: string, args: Record<string, unknown> = {}, _meta?: object): Promise<Message> =>
      ask('tools/call', { name, arguments: args, ...(_meta && { _meta }) }),
    read: (uri: string): Promise<Message> => ask('resources/read', { uri }),
  }
}

/** The text of a tool's answer, or of a resource. */
export function textIn(answer: Message): string {
  const { content, contents } = answer.result ?? {}
  return (content ?? contents)?.[0]?.text ?? JSON.stringify(answer)
}

/** What a client is notified of, over a stream of its era: the URIs so far, and whether the stream has ended. */
export async function listenTo(team: Pick<Team, 'fetch'>, person: Person, uris: readonly string[]) {
  const { key, revision, path = '/mcp' } = person
  const { session, ask } = await personWith(team, person)
  const refused: Message[] = []
  if (session !== undefined)
    for (const uri of uris) {
      const { error } = await ask('resources/subscribe', { uri })
      if (error) refused.push(error)
    }
  const listen = {
    method: 'subscriptions/listen',
    params: { notifications: { resourceSubscriptions: uris } },
  }
  const made =
    revision === '2025-11-25' ? { method: 'GET', headers: sessionHeaders(session) } : modernRequest(listen)
  const response = await team.fetch(handMade({ path, ...made, headers: { ...made.headers, ...bearer(key) } }))
  const messages: Message[] = []
  const state = { isOver: false }
  const read = async (): Promise<void> => {
    for await (const { message } of eventsOf(response)) messages.push(message)
  }
  void read()
    .catch(() => undefined)
    .finally(() => {
      state.isOver = true
    })
  return {
    session,
    status: response.status,
    refused,
    messages,
    isOver: () => state.isOver,
    heard: (): string[] =>
      messages.filter(({ method }) => method === UPDATED).map(({ params }) => params.uri),
  }
}

const UPDATED = 'notifications/resources/updated'
