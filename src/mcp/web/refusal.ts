import { INVALID_REQUEST, PARSE_ERROR, type RequestId } from '@modelcontextprotocol/server'

/** JSON-RPC leaves these to whoever serves; the SDK uses the same. */
const REFUSED = -32_000
const NO_SESSION = -32_001
/** As `FORBIDDEN` has it. */
const FORBIDDEN = -32_003
/** As `UNAVAILABLE` has it: the same may work later. */
const UNAVAILABLE = -32_010

const KINDS = {
  unreadable: { status: 400, code: PARSE_ERROR },
  invalid: { status: 400, code: INVALID_REQUEST },
  noSession: { status: 400, code: REFUSED },
  forbidden: { status: 403, code: FORBIDDEN },
  sessionNotFound: { status: 404, code: NO_SESSION },
  method: { status: 405, code: REFUSED },
  tooLarge: { status: 413, code: REFUSED },
  mediaType: { status: 415, code: REFUSED },
  failed: { status: 500, code: -32_603 },
  unavailable: { status: 503, code: UNAVAILABLE },
} as const

export interface RefusalOptions {
  /** The request that is refused, where it got so far. */
  body?: unknown
  headers?: Record<string, string>
}

/** What is refused before a server object sees it: a status for HTTP, and the same as JSON-RPC says it. */
export function refusal(
  kind: keyof typeof KINDS,
  message: string,
  { body, headers }: RefusalOptions = {},
): Response {
  const { status, code } = KINDS[kind]
  const answer = { jsonrpc: '2.0', error: { code, message }, id: idOf(body) }
  return Response.json(answer, { status, ...(headers && { headers }) })
}

/** Null: nobody asked, or nobody can say who of several. */
function idOf(body: unknown): RequestId | null {
  if (typeof body !== 'object' || body === null || !('method' in body) || !('id' in body)) return null
  return typeof body.id === 'string' || typeof body.id === 'number' ? body.id : null
}
