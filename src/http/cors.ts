/** Request headers that MCP clients of both eras send; other headers need no permission. */
const REQUEST_HEADERS = [
  'authorization',
  'content-type',
  'last-event-id',
  'mcp-method',
  'mcp-name',
  'mcp-protocol-version',
  'mcp-session-id',
]
const PREFLIGHT_MAX_AGE_S = 600

/** No origin of a page. */
export const ANY_ORIGIN = '*'

export function isPreflight(request: Request): boolean {
  return request.method === 'OPTIONS' && request.headers.has('access-control-request-method')
}

/** Lets a page of `origin` read the response, without credentials. */
export function allowOrigin(headers: Headers, origin: string): void {
  allow(headers, origin)
  headers.append('vary', 'origin')
}

/** Lets any page read the response. A browser never sends credentials of its own with such a request. */
export function allowAnyOrigin(headers: Headers): void {
  allow(headers, ANY_ORIGIN)
}

function allow(headers: Headers, origin: string): void {
  headers.set('access-control-allow-origin', origin)
  headers.set('access-control-expose-headers', 'mcp-session-id, retry-after, www-authenticate')
}

/** The answer to a preflight request. */
export function allowRequests(headers: Headers, methods: string): void {
  headers.set('access-control-allow-methods', methods)
  headers.set('access-control-allow-headers', REQUEST_HEADERS.join(', '))
  headers.set('access-control-max-age', String(PREFLIGHT_MAX_AGE_S))
}
