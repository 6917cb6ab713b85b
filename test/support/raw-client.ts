import { PUBLIC_URL, type Team } from './team.ts'

export const ERAS = ['2025-11-25', '2026-07-28'] as const
export type EraName = (typeof ERAS)[number]

export interface RawOptions {
  key: string
  era: EraName
  name: string
  path?: string
  /** Of the server. */
  origin?: string
}

/** What a request was answered with, as it came over the wire. */
export interface RawAnswer {
  status: number
  headers: string
  text: string
}

/** A message that came over a stream, as text. */
export type OnEvent = (data: string) => void

const ACCEPT = { accept: 'application/json, text/event-stream' }

/** A client without an SDK: what it gets is seen before anything leaves out what it does not know. */
export async function connectRaw(
  { fetch }: Pick<Team, 'fetch'>,
  { key, era, name, path = '/mcp', origin = PUBLIC_URL }: RawOptions,
) {
  const url = `${origin}${path}`
  const info = { name, version: '1' }
  const headers: Record<string, string> = {
    ...ACCEPT,
    authorization: `Bearer ${key}`,
    'mcp-protocol-version': era,
  }
  let id = 0

  async function send(body: object, more: Record<string, string> = {}): Promise<Response> {
    const sent = { ...headers, 'content-type': 'application/json', ...more }
    return fetch(new Request(url, { method: 'POST', headers: sent, body: JSON.stringify(body) }))
  }

  function request(method: string, params: Record<string, unknown>): Promise<Response> {
    const body = { jsonrpc: '2.0', id: ++id, method }
    if (era === '2025-11-25') return send({ ...body, params })
    const given = params.name ?? params.uri
    const named: Record<string, string> = given === undefined ? {} : { 'mcp-name': String(given) }
    const _meta = { ...Object(params._meta), ...metaOf(info, era) }
    return send({ ...body, params: { ...params, _meta } }, { 'mcp-method': method, ...named })
  }

  if (era === '2025-11-25') {
    const response = await request('initialize', {
      protocolVersion: era,
      capabilities: {},
      clientInfo: info,
    })
    await response.text()
    headers['mcp-session-id'] = response.headers.get('mcp-session-id') ?? ''
    await send({ jsonrpc: '2.0', method: 'notifications/initialized' })
  }

  return {
    era,
    key,
    /** Undefined in the era that has none. */
    sessionId: headers['mcp-session-id'],
    async ask(method: string, params: Record<string, unknown> = {}): Promise<RawAnswer> {
      return answerOf(await request(method, params))
    },
    /** Any request of HTTP with the key of this client, and what it says with it. */
    async http(
      method: string,
      at: string,
      init: { headers?: object; body?: unknown } = {},
    ): Promise<RawAnswer> {
      const body = init.body === undefined ? undefined : JSON.stringify(init.body)
      const sent = new Request(`${origin}${at}`, {
        method,
        headers: {
          ...ACCEPT,
          authorization: `Bearer ${key}`,
          ...(body !== undefined && {
            'content-type': 'application/json',
            'content-length': `${body.length}`,
          }),
          ...init.headers,
        },
        ...(body !== undefined && { body }),
      })
      return answerOf(await fetch(sent))
    },
    /** Is notified of these URIs, over a stream of its own, until that is ended. Resolves when it has begun. */
    async listen(uris: readonly string[], onEvent: OnEvent): Promise<Listening> {
      if (era === '2026-07-28') {
        const notifications = { resourceSubscriptions: uris }
        return readEvents(await request('subscriptions/listen', { notifications }), onEvent)
      }
      const stream = await fetch(new Request(url, { headers }))
      for (const uri of uris) await (await request('resources/subscribe', { uri })).text()
      return readEvents(stream, onEvent)
    },
  }
}

export type RawClient = Awaited<ReturnType<typeof connectRaw>>

export interface Listening {
  status: number
  /** Resolves when the server ends the stream. */
  ended: Promise<void>
  stop(): Promise<void>
}

async function answerOf(response: Response): Promise<RawAnswer> {
  const { status, headers } = response
  return { status, headers: [...headers].join('\n'), text: await response.text() }
}

function metaOf(info: object, era: EraName): object {
  const prefix = 'io.modelcontextprotocol/'
  return {
    [`${prefix}protocolVersion`]: era,
    [`${prefix}clientInfo`]: info,
    [`${prefix}clientCapabilities`]: {},
  }
}

function readEvents(response: Response, onEvent: OnEvent): Listening {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  const decoder = new TextDecoder()
  let rest = ''
  async function readAll(): Promise<void> {
    for (;;) {
      const { value, done } = await reader.read()
      if (done) return
      const lines = (rest + decoder.decode(value, { stream: true })).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) if (line.startsWith('data: ')) onEvent(line.slice('data: '.length))
    }
  }
  const ended = readAll().catch(() => undefined)
  return { status: response.status, ended, stop: () => reader.cancel().catch(() => undefined) }
}
