import type { Agent } from 'node:http'
import { type HttpClient, post } from './http-client.ts'

const REVISION = '2025-11-25'
const HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': REVISION,
}

/** A client from before 2026-07-28: it begins a session, and names it whenever it asks. It never says that it leaves. */
export async function beginSession(
  url: string,
  agent: Agent,
  more: Record<string, string> = {},
): Promise<Pick<HttpClient, 'call'>> {
  const hello = {
    protocolVersion: REVISION,
    capabilities: {},
    clientInfo: { name: 'bench', version: '1' },
  }
  let id = 0
  const message = (method: string, params: object): string =>
    JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params })
  const begun = await post(url, agent, message('initialize', hello), { ...HEADERS, ...more })
  const headers = { ...HEADERS, ...more, 'mcp-session-id': String(begun.headers['mcp-session-id']) }
  return {
    call: async (method, params) => (await post(url, agent, message(method, params), headers)).text,
  }
}
