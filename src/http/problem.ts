import { printable } from '../util/text/printable.ts'

const MAX_QUOTED = 80
/** From the range that JSON-RPC reserves for servers: the request was refused before it was parsed as a message. */
const REFUSED = -32000
const INTERNAL = -32603

/** The generic text for a failure that the client did not cause. */
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

/** Client input made safe to repeat in a message: on one line, without terminal control characters, cut. */
export function quoted(text: string): string {
  const shown = printable(text)
  return `"${shown.length > MAX_QUOTED ? `${shown.slice(0, MAX_QUOTED)}…` : shown}"`
}
