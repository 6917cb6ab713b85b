import {
  duration,
  either,
  integer,
  names,
  oneOf,
  type ParseSetting,
  type Setting,
  size,
  text,
} from './setting-values.ts'

/** How clients reach a server, and who they are. Part of `SETTINGS`. */
export const HTTP_SETTINGS = [
  {
    name: 'server.transport',
    flag: 'transport',
    env: 'REMINDB_TRANSPORT',
    default: 'stdio',
    scope: 'operator',
    help: 'How clients reach the server: over its stdin and stdout, or over HTTP',
    parse: oneOf('stdio', 'http'),
  },
  {
    name: 'server.listen',
    flag: 'listen',
    env: 'REMINDB_LISTEN',
    default: '127.0.0.1:7474',
    scope: 'operator',
    help: 'Where HTTP listens: an address of this machine and a port',
    parse: text({ maxLength: 200 }),
  },
  {
    name: 'server.auth',
    flag: 'auth',
    env: 'REMINDB_AUTH',
    default: 'off',
    scope: 'operator',
    help: 'off: clients do not say who they are, and only this machine reaches the server. keys: every request has an API key',
    parse: oneOf('off', 'keys'),
  },
  {
    name: 'server.public_url',
    flag: 'public-url',
    env: 'REMINDB_PUBLIC_URL',
    default: '',
    scope: 'operator',
    help: 'What clients call the server: scheme, name and port, without a path. Needed unless it listens on this machine only',
    example: '"https://memory.example.org"',
    parse: origin(),
  },
  {
    name: 'server.spaces.idle_close',
    flag: null,
    env: 'REMINDB_SERVER_SPACES_IDLE_CLOSE',
    default: '5m',
    scope: 'operator',
    help: 'A space that no client has used for this long is closed until the next request',
    parse: duration({ from: '1s', upTo: '24h' }),
  },
  {
    name: 'server.spaces.max_open',
    flag: null,
    env: 'REMINDB_SERVER_SPACES_MAX_OPEN',
    default: 200,
    scope: 'operator',
    help: 'How many spaces are open at once: where it would be more, the one that was idle for longest is closed',
    parse: integer(1, 100_000),
  },
  {
    name: 'audit.retention',
    flag: null,
    env: 'REMINDB_AUDIT_RETENTION',
    default: '8760h',
    scope: 'operator',
    help: 'How long entries of the audit are kept',
    parse: duration({ from: '1h', upTo: '876000h' }),
  },
  {
    name: 'server.http.allowed_hosts',
    flag: null,
    env: 'REMINDB_SERVER_HTTP_ALLOWED_HOSTS',
    default: [],
    scope: 'operator',
    help: 'Names, besides those of this machine, that requests over HTTP may call the server by',
    example: '["notes.example"]',
    parse: names(),
  },
  {
    name: 'server.http.allowed_origins',
    flag: null,
    env: 'REMINDB_SERVER_HTTP_ALLOWED_ORIGINS',
    default: [],
    scope: 'operator',
    help: 'Origins of web pages that may use the server; it allows none but its own',
    example: '["http://localhost:5173"]',
    parse: names(),
  },
  {
    name: 'server.http.max_body_size',
    flag: null,
    env: 'REMINDB_SERVER_HTTP_MAX_BODY_SIZE',
    default: 'auto',
    scope: 'operator',
    help: 'A larger request is refused; auto: 4MB, or what the largest value of a key needs where keys are served',
    parse: either('auto', size()),
  },
  {
    name: 'server.http.max_connections',
    flag: null,
    env: 'REMINDB_SERVER_HTTP_MAX_CONNECTIONS',
    default: 20_000,
    scope: 'operator',
    help: 'More connections at a time are refused',
    parse: integer(1, 1_000_000),
  },
  {
    name: 'server.http.max_sessions',
    flag: null,
    env: 'REMINDB_SERVER_HTTP_MAX_SESSIONS',
    default: 10_000,
    scope: 'operator',
    help: 'Sessions of older clients at a time. One more takes the place of one that is idle, or is refused',
    parse: integer(1, 1_000_000),
  },
  {
    name: 'server.http.max_streams',
    flag: null,
    env: 'REMINDB_SERVER_HTTP_MAX_STREAMS',
    default: 10_000,
    scope: 'operator',
    help: 'More streams of notifications at a time are refused',
    parse: integer(1, 1_000_000),
  },
  {
    name: 'server.http.request_timeout',
    flag: null,
    env: 'REMINDB_SERVER_HTTP_REQUEST_TIMEOUT',
    default: '30s',
    scope: 'operator',
    help: 'A request must have arrived whole within this time',
    parse: duration({ above: '0', upTo: '24h' }),
  },
  {
    name: 'server.http.idle_timeout',
    flag: null,
    env: 'REMINDB_SERVER_HTTP_IDLE_TIMEOUT',
    default: '5m',
    scope: 'operator',
    help: 'A connection without a request is closed after this time',
    parse: duration({ above: '0', upTo: '24h' }),
  },
] as const satisfies readonly Setting[]

/** Scheme, name and port of a URL. */
function origin(): ParseSetting<string> {
  return (raw) => {
    const url = typeof raw === 'string' ? URL.parse(raw) : null
    const isWhole = url && ['http:', 'https:'].includes(url.protocol) && `${url.origin}/` === url.href
    return isWhole
      ? { value: url.origin }
      : { refused: 'a URL with http or https, a name and perhaps a port, and nothing else' }
  }
}
