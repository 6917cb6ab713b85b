import { MemoryError } from '../core/errors.ts'
import { ANY_ORIGIN } from './cors.ts'
import { quoted } from './problem.ts'

export interface GuardOptions {
  /** The address that the server listens on, as a request names it: a name or an IP address, IPv6 without brackets. */
  listenHost: string
  /** More names: `memory.example` with any port, `memory.example:8443` with that one. */
  allowedHosts?: readonly string[]
  /** Origins of web pages, whole: `https://board.example`. */
  allowedOrigins?: readonly string[]
}

export type Verdict =
  | { kind: 'refused'; status: 400 | 403; message: string }
  /** `corsOrigin`: the configured origin of the request, to be echoed to the browser; or that any may read the response. */
  | { kind: 'allowed'; corsOrigin?: string }

/**
 * Whether a request may be looked at, by its Host and Origin alone. `isForAnyOrigin`: at this path a page is no risk, because whoever
 * asks must show a token that a browser does not send by itself.
 */
export type Guard = (request: Request, isForAnyOrigin?: boolean) => Verdict

const LOCAL_HOSTS = ['localhost', '127.0.0.1', '[::1]']
/** A dot at the end of a name only says that it is whole. */
const HOST = /^(?<name>\[[0-9a-f:.]+\]|[a-z0-9_]([a-z0-9._-]*[a-z0-9_])?)\.?(?<port>:\d{1,5})?$/
const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d{1,5})?$/
const ALLOWED: Verdict = { kind: 'allowed' }
const ANY: Verdict = { kind: 'allowed', corsOrigin: ANY_ORIGIN }

/**
 * A request from this machine is not trustworthy by itself: a web page can make a browser here send it, under a hostname of the
 * attacker that resolves to this machine (DNS rebinding). So the host must be a name of this server, and the origin ours or allowed.
 * Throws INVALID_INPUT for an allowed host or origin that no request could have.
 */
export function createGuard({ listenHost, allowedHosts = [], allowedOrigins = [] }: GuardOptions): Guard {
  const own = listenHost.includes(':') ? `[${listenHost}]` : listenHost
  const hosts = new Set([...LOCAL_HOSTS, own.toLowerCase(), ...allowedHosts.map(checkHost)])
  const origins = new Set(allowedOrigins.map(checkOrigin))
  return (request, isForAnyOrigin = false) => {
    const host = request.headers.get('host')?.toLowerCase() ?? ''
    const refused = judgeHost(request, host, hosts)
    if (refused) return refused
    if (isForAnyOrigin) return request.headers.has('origin') ? ANY : ALLOWED
    return judgeOrigin(request, host, origins)
  }
}

function judgeHost(request: Request, host: string, hosts: ReadonlySet<string>): Verdict | undefined {
  const { name, port = '' } = HOST.exec(host)?.groups ?? {}
  if (name === undefined)
    return refuse(400, 'the Host header is missing or malformed; send the name and port')
  if (!hosts.has(name) && !hosts.has(name + port)) {
    return refuse(
      403,
      `the Host header says ${quoted(host)}, which is not a name of this server; use localhost, ` +
        'or add the name to server.http.allowed_hosts',
    )
  }
  // A request line may carry a whole URL, whose host overrides the header: then they must agree.
  const { protocol, host: called, username, password } = new URL(request.url)
  if (username !== '' || password !== '') return refuse(400, 'the URL contains credentials; remove them')
  return hostAsIn(protocol, host) === called
    ? undefined
    : refuse(400, 'the URL and the Host header name different servers; send the same in both')
}

function judgeOrigin(request: Request, host: string, origins: ReadonlySet<string>): Verdict {
  const given = request.headers.get('origin')
  if (given === null) return ALLOWED
  const origin = given.toLowerCase()
  // Echoed as spelled: browsers compare it byte by byte.
  if (origins.has(origin)) return { kind: 'allowed', corsOrigin: given }
  if (isOwnOrigin(origin, host)) return ALLOWED
  return refuse(
    403,
    `web pages of ${quoted(given)} may not use this server; ` +
      'if they should, add the origin to server.http.allowed_origins',
  )
}

/** The scheme may be either: a proxy in front of the server may speak TLS. */
function isOwnOrigin(origin: string, host: string): boolean {
  if (!ORIGIN.test(origin)) return false
  const [scheme, called] = origin.split('//') as [string, string]
  const isWeb = scheme === 'http:' || scheme === 'https:'
  return isWeb && hostAsIn(scheme, called) === hostAsIn(scheme, host)
}

/** A host as URLs of a scheme have it: without the default port. */
function hostAsIn(protocol: string, host: string): string | undefined {
  return URL.parse(`${protocol}//${host}`)?.host
}

function refuse(status: 400 | 403, message: string): Verdict {
  return { kind: 'refused', status, message }
}

function checkHost(given: string): string {
  const { name, port = '' } = HOST.exec(given.toLowerCase())?.groups ?? {}
  if (name !== undefined) return name + port
  throw new MemoryError(
    'INVALID_INPUT',
    `server.http.allowed_hosts has ${quoted(given)}, which no Host header can be; ` +
      'write a name such as "memory.example", with a port if only that one may be used',
  )
}

function checkOrigin(given: string): string {
  const origin = given.toLowerCase()
  // Browsers omit the default port.
  if (ORIGIN.test(origin) && URL.canParse(origin))
    return /^https?:/.test(origin) ? new URL(origin).origin : origin
  throw new MemoryError(
    'INVALID_INPUT',
    `server.http.allowed_origins has ${quoted(given)}, which is not the origin of a web page; ` +
      'write scheme, name and port only, such as "https://board.example"; wildcards are not supported',
  )
}
