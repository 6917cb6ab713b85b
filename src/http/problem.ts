import { printable } from '../util/text/printable.ts'

const MAX_QUOTED = 80
/** What JSON-RPC leaves to servers: the request was refused before anybody read it as a message. */
const REFUSED = -32000
const INTERNAL = -32603

/** All that a client learns of a failure which is none of its own making. */
export const UNEXPECTED = 'something unexpected went wrong; the log of the server has it'

/**
 * A refusal as an error of JSON-RPC without an id: MCP clients show its message, and so does a person with curl. One shape on
 * every path: a client that has the wrong one learns why all the same.
 */
export function problem(status: number, message: string, headers: Record<string, string> = {}): Response {
  const error = { code: status === 500 ? INTERNAL : REFUSED, message }
  return Response.json(
    { jsonrpc: '2.0', error, id: null },
    {
      status,
      headers: { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', ...headers },
    },
  )
}

/** What a stranger sent, as a message may repeat it: on one line, without what rules a terminal, cut. */
export function quoted(text: string): string {
  const shown = printable(text)
  return `"${shown.length > MAX_QUOTED ? `${shown.slice(0, MAX_QUOTED)}…` : shown}"`
}
