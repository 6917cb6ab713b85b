import { parseNetwork } from '../../http/networks.ts'
import {
  duration,
  either,
  flag,
  integer,
  names,
  oneOf,
  type ParseSetting,
  type Setting,
  size,
  text,
} from './setting-values.ts'

const NETWORKS = 'a list of IP addresses or networks such as "10.0.0.0/8"'

/** How clients reach a server, and who they are. Part of `SETTINGS`. */
export const HTTP_SETTINGS = [
  {
    name: 'server.transport',
    flag: 'transport',
    env: 'REMINDB_TRANSPORT',
    default: 'stdio',
    scope: 'operator',
    help: 'The transport: stdin and stdout, or HTTP',
    parse: oneOf('stdio', 'http'),
  },
  {
    name: 'server.listen',
    flag: 'listen',
    env: 'REMINDB_LISTEN',
    default: '127.0.0.1:7474',
    scope: 'operator',
    help: 'The address and port that HTTP listens on',
    parse: text({ maxLength: 200 }),
  },
  {
    name: 'server.auth',
    flag: 'auth',
    env: 'REMINDB_AUTH',
    default: 'off',
    scope: 'operator',
    help: 'off: no authentication, and only this machine can reach the server. keys: every request needs an API key. accounts: or a token that a user agreed to after signing in (OAuth)',
    parse: oneOf('off', 'keys', 'accounts'),
    // A variable that a script failed to fill must not open the server.
    refusesEmpty: true,
  },
  {
    name: 'server.public_url',
    flag: 'public-url',
    env: 'REMINDB_PUBLIC_URL',
    default: '',
    scope: 'operator',
    help: 'The public address of the server: scheme, name and port, without a path. Required unless it listens on this machine only',
    example: '"https://memory.example.org"',
    parse: origin(),
  },
  {
    name: 'server.tls.cert',
    flag: 'tls-cert',
    env: 'REMINDB_TLS_CERT',
    default: '',
    scope: 'operator',
    help: 'Serve HTTPS with the certificate in this file, followed by those that certify it, as PEM',
    parse: text({ maxLength: 4096 }),
    // Without it, a script that failed to fill a variable would serve without encryption.
    refusesEmpty: true,
  },
  {
    name: 'server.tls.key',
    flag: 'tls-key',
    env: 'REMINDB_TLS_KEY',
    default: '',
    scope: 'operator',
    help: 'The private key of the certificate, as PEM without a passphrase. Both files are read again every minute',
    parse: text({ maxLength: 4096 }),
    refusesEmpty: true,
  },
  {
    name: 'rate.per_minute',
    flag: null,
    env: 'REMINDB_RATE_PER_MINUTE',
    default: 60,
    scope: 'operator',
    help: 'The maximum number of tool calls and resource reads of a client with a key per minute',
    parse: either('none', integer(1, 1_000_000_000)),
  },
  {
    name: 'rate.per_day',
    flag: null,
    env: 'REMINDB_RATE_PER_DAY',
    default: 10_000,
    scope: 'operator',
    help: 'The same per UTC day',
    parse: either('none', integer(1, 1_000_000_000)),
  },
  {
    name: 'rate.exempt_users',
    flag: null,
    env: 'REMINDB_RATE_EXEMPT_USERS',
    default: [],
    scope: 'operator',
    help: 'Users whose clients are exempt from these limits',
    example: '["ada"]',
    parse: names(),
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
    help: 'The maximum number of open spaces: beyond it, the one idle for longest is closed',
    parse: integer(1, 100_000),
  },
  {
    name: 'server.oauth.documents',
    flag: null,
    env: 'REMINDB_SERVER_OAUTH_DOCUMENTS',
    default: true,
    scope: 'operator',
    help: 'Let clients be known by the URL of a document that describes them, which the server gets from the web. If false, clients register instead',
    parse: flag(),
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
    help: 'Hostnames that HTTP requests may use for the server, in addition to those of this machine',
    example: '["notes.example"]',
    parse: names(),
  },
  {
    name: 'server.http.allowed_origins',
    flag: null,
    env: 'REMINDB_SERVER_HTTP_ALLOWED_ORIGINS',
    default: [],
    scope: 'operator',
    help: 'Origins of other web pages that may use the server',
    example: '["http://localhost:5173"]',
    parse: names(),
  },
  {
    name: 'server.http.trusted_proxies',
    flag: null,
    env: 'REMINDB_SERVER_HTTP_TRUSTED_PROXIES',
    default: [],
    scope: 'operator',
    help: 'Addresses or networks of reverse proxies whose `X-Forwarded-For` says where a request comes from',
    example: '["127.0.0.1", "10.0.0.0/8"]',
    parse: networks(),
  },
  {
    name: 'server.http.max_body_size',
    flag: null,
    env: 'REMINDB_SERVER_HTTP_MAX_BODY_SIZE',
    default: 'auto',
    scope: 'operator',
    help: 'The maximum size of a request; auto: 4MB, or enough for the largest value of a key if keys are served',
    parse: either('auto', size()),
  },
  {
    name: 'server.http.max_connections',
    flag: null,
    env: 'REMINDB_SERVER_HTTP_MAX_CONNECTIONS',
    default: 20_000,
    scope: 'operator',
    help: 'The maximum number of connections; more are refused',
    parse: integer(1, 1_000_000),
  },
  {
    name: 'server.http.max_sessions',
    flag: null,
    env: 'REMINDB_SERVER_HTTP_MAX_SESSIONS',
    default: 10_000,
    scope: 'operator',
    help: 'The maximum number of sessions of older clients. One more replaces an idle one, or is refused',
    parse: integer(1, 1_000_000),
  },
  {
    name: 'server.http.max_streams',
    flag: null,
    env: 'REMINDB_SERVER_HTTP_MAX_STREAMS',
    default: 10_000,
    scope: 'operator',
    help: 'The maximum number of notification streams; more are refused',
    parse: integer(1, 1_000_000),
  },
  {
    name: 'server.http.request_timeout',
    flag: null,
    env: 'REMINDB_SERVER_HTTP_REQUEST_TIMEOUT',
    default: '30s',
    scope: 'operator',
    help: 'A request must be complete within this time',
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

/** IP addresses, and networks such as `10.0.0.0/8`. */
function networks(): ParseSetting<readonly string[]> {
  const list = names()
  return (raw) => {
    const parsed = list(raw)
    if (!('value' in parsed)) return { refused: NETWORKS }
    return parsed.value.every((text) => parseNetwork(text) !== undefined) ? parsed : { refused: NETWORKS }
  }
}
