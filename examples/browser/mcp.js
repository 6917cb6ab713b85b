/**
 * The least of an MCP client that a dashboard needs: read a resource, hear when one changed. Revision 2026-07-28 over HTTP,
 * with nothing but what every browser has. See docs/how-to/build-a-user-interface.md.
 */
const REVISION = '2026-07-28'
const META = 'io.modelcontextprotocol/'
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 30_000

/** What the server said is wrong. `code` is a word such as NOT_FOUND where it gave one, else a number. */
export class McpError extends Error {
  name = 'McpError'
  constructor({ code, message, data }) {
    super(message)
    this.code = data?.code ?? code
  }
}

/** Nobody answered, or the browser may not show us the answer: it does not tell a page which of the two. */
export class UnreachableError extends Error {
  name = 'UnreachableError'
}

export function createClient(url, clientInfo) {
  let lastId = 0

  async function post(method, params, { name, signal } = {}) {
    const _meta = {
      [`${META}protocolVersion`]: REVISION,
      [`${META}clientInfo`]: clientInfo,
      [`${META}clientCapabilities`]: {},
    }
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': REVISION,
      'mcp-method': method,
      // What the request is about, as in its body. Servers refuse a request without it.
      ...(name !== undefined && { 'mcp-name': name }),
    }
    lastId += 1
    const body = JSON.stringify({ jsonrpc: '2.0', id: lastId, method, params: { ...params, _meta } })
    return fetch(url, { method: 'POST', headers, body, signal, credentials: 'omit' }).catch((cause) => {
      if (signal?.aborted) throw cause
      throw new UnreachableError(`no answer from ${url}`, { cause })
    })
  }

  /** The envelope of a resource. */
  async function read(uri, { signal } = {}) {
    const response = await post('resources/read', { uri }, { name: uri, signal })
    for await (const { result } of messagesOf(response))
      if (result) return JSON.parse(result.contents[0].text)
    throw new Error(`the answer to ${uri} was cut off`)
  }

  /** First what will be told (`{ uris }`), then a `{ uri }` for each change. It ends when the server does. */
  async function* listen(uris, { signal } = {}) {
    const params = { notifications: { resourceSubscriptions: uris } }
    const response = await post('subscriptions/listen', params, { signal })
    for await (const { method, params: told } of messagesOf(response)) {
      if (method === 'notifications/subscriptions/acknowledged')
        yield { uris: told.notifications.resourceSubscriptions ?? [] }
      if (method === 'notifications/resources/updated') yield { uri: told.uri }
    }
  }

  /**
   * Listens until `signal` is aborted, again and again. `onLive` is called each time the server begins to tell: what happened
   * before is not told, so read everything then. `onLost` gets the reason, and when the next attempt is made.
   */
  async function watch(uris, { onLive, onChange, onLost, signal }) {
    let pauseMs = FIRST_PAUSE_MS
    while (!signal?.aborted) {
      let reason = new Error('the server ended the stream')
      try {
        for await (const told of listen(uris, { signal })) {
          pauseMs = FIRST_PAUSE_MS
          if (told.uris) onLive(told.uris)
          else onChange(told.uri)
        }
      } catch (error) {
        reason = error
      }
      if (signal?.aborted) return
      onLost(reason, pauseMs)
      // Not all pages at the same moment when a server comes back.
      await new Promise((resolve) => setTimeout(resolve, pauseMs * (0.5 + Math.random() / 2)))
      pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)
    }
  }

  return { read, listen, watch }
}

/** The messages of an answer: one as JSON, or several as events. An error among them is thrown. */
async function* messagesOf(response) {
  const isEvents = response.headers.get('content-type')?.startsWith('text/event-stream')
  if (!isEvents) yield check(await response.json())
  else for await (const data of eventsOf(response.body)) yield check(JSON.parse(data))
}

function check(message) {
  if (message.error) throw new McpError(message.error)
  return message
}

/** The data of each server-sent event. EventSource cannot be used: it only sends GET, and no headers. */
async function* eventsOf(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      const blocks = (rest + piece.value).split(/\r?\n\r?\n/)
      rest = blocks.pop()
      for (const block of blocks) {
        const data = block.split(/\r?\n/).flatMap((line) => line.match(/^data: ?(.*)$/)?.[1] ?? [])
        if (data.join('') !== '') yield data.join('\n')
      }
    }
  } finally {
    // Also when nobody reads on: the server then lets go of the stream.
    await reader.cancel().catch(() => undefined)
  }
}
