import { Agent, type IncomingHttpHeaders, request } from 'node:http'

/** Keeps as many connections as it may have; what it takes is the server's time, and node's own. */
export interface HttpClient {
  call(method: string, params: object): Promise<string>
  close(): void
}

export const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

/** A client of 2026-07-28: every request stands for itself. `more`: headers of each. */
export function createHttpClient(
  url: string,
  connections: number,
  more: Record<string, string> = {},
): HttpClient {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  let id = 0
  return {
    async call(method, params) {
      const body = JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params: { ...params, _meta: META } })
      return (await post(url, agent, body, { ...headersOf(method, params), ...more })).text
    },
    close: () => agent.destroy(),
  }
}

export function headersOf(method: string, params: object): Record<string, string> {
  const name = 'name' in params ? String(params.name) : 'uri' in params ? String(params.uri) : undefined
  return {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...(name === undefined ? {} : { 'mcp-name': name }),
  }
}

export interface Answered {
  text: string
  headers: IncomingHttpHeaders
}

/** Rejects with the beginning of an answer that is an error, of HTTP or of JSON-RPC. */
export function post(
  url: string,
  agent: Agent,
  body: string,
  headers: Record<string, string>,
): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', agent, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (piece: string) => {
        text += piece
      })
      response.on('end', () =>
        response.statusCode === 200 && !text.includes('"error":{')
          ? resolve({ text, headers: response.headers })
          : reject(new Error(`${response.statusCode}: ${text.slice(0, 300)}`)),
      )
    })
    sent.on('error', reject)
    sent.end(body)
  })
}
