import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { COMMAND_WORDS } from '../../src/ingest/redact/command-words.ts'
import { SENTENCE_WORDS } from '../../src/ingest/redact/sentence.ts'
import { TOKEN_KINDS } from '../../src/ingest/redact/token-kinds.ts'

const ROOT = join(import.meta.dirname, '..', '..')

/** Texts as people have them, by name: a piece of each, to be repeated. */
export function plainPieces(): Record<string, string> {
  return {
    prose:
      'The harbour was quiet that morning, and nobody had come down to the boats yet; the lamps still burned along the quay.\n',
    documentation: filesOf(join(ROOT, 'docs'), '.md'),
    program: filesOf(join(ROOT, 'src', 'core'), '.ts'),
    yaml: '  service:\n    image: acme/web:1.4\n    retries: 5\n    base_url: https://api.example.org/v2\n    enabled: true\n',
    json: '{"id":17,"name":"A user","mail":"user@example.org","active":true,"score":0.75,"tags":["a","b"]},',
    'lock file': readFileSync(join(ROOT, 'package-lock.json'), 'utf8'),
    ...settingsPieces(),
  }
}

/** Files of nothing but names and values, as a server has them: some of the values are secret. */
function settingsPieces(): Record<string, string> {
  return {
    '.env': `# Application
APP_NAME=Orders
APP_ENV=production
APP_DEBUG=false
APP_URL=https://orders.example.org
LOG_CHANNEL=stack
LOG_LEVEL=info

# Database
DB_CONNECTION=pgsql
DB_HOST=db.internal
DB_PORT=5432
DB_DATABASE=orders
DB_USERNAME=orders_app
DB_PASSWORD=mango-Tractor-41

REDIS_HOST=127.0.0.1
REDIS_PASSWORD=null
REDIS_PORT=6379

MAIL_MAILER=smtp
MAIL_HOST=mail.example.org
MAIL_PORT=587
MAIL_USERNAME=orders@example.org
MAIL_PASSWORD="quiet lantern 7"
MAIL_FROM_NAME="\${APP_NAME}"

AWS_DEFAULT_REGION=eu-central-1
AWS_BUCKET=orders-invoices
AWS_SECRET_ACCESS_KEY=
JWT_SECRET=8f14e45fceea167a5a36dedd4bea2543
JWT_TTL=3600

`,
    ini: `[server]
bind = 0.0.0.0
port = 8080
workers = 4
timeout = 30s

[database]
driver = mysql
host = db.internal
name = orders
user = orders_app
password = mango-Tractor-41
pool_size = 10

[cache]
; in megabytes
size = 256
path = /var/cache/orders
token_ttl = 900

`,
    log: `2026-03-04T09:12:44.120Z level=info msg="request done" method=GET path=/v2/orders/17 status=200 user_id=4711 duration_ms=12 bytes=5120
2026-03-04T09:12:44.305Z level=warn msg="slow query" table=orders rows=1200 duration_ms=840 retry=false
192.0.2.17 - - [04/Mar/2026:09:12:45 +0000] "GET /v2/orders?page=2&sort=date HTTP/1.1" 200 8412 "https://orders.example.org/" "Mozilla/5.0"
`,
    csv: `id,name,mail,city,created,amount,paid
4711,"Berg, Anna",anna.berg@example.org,Bergen,2026-03-04,129.90,true
4712,Jonas Holm,jonas.holm@example.org,Aarhus,2026-03-05,18.00,false
`,
  }
}

function filesOf(folder: string, ending: string): string {
  const names = readdirSync(folder).filter((name) => name.endsWith(ending))
  return names.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n')
}

/** What the issue that asked for this was about: each took half a minute. */
export const KNOWN = ['-eyJ', 'A_TOKEN=x ']

/** Pairs, quotes, addresses and the like, in which every character may begin something. */
const PAIRS = [
  ...['a=', 'a:', 'a: ', 'key=', 'KEY', 'A_KEY=', 'A_KEY=a ', 'A_KEY=)', 'A_KEY="', 'A_KEY=\\"', 'A_KEY=" '],
  ...['A_KEY="""x', 'A_KEY=\'a"', 'A_KEY=&quot;', 'A_KEY=«redacted:jwt»', 'a_key = "x"\n', 'a_b_c_d_e_f_g='],
  ...[
    'password=',
    'password: ',
    'password: a ',
    'password: a b ',
    'pw: a1! ',
    '"password": "x", ',
    'pw:,',
    'pw:|',
  ],
  ...['password = {', 'password: |\n  x\n', 'password → ', 'password -> ', 'token=>', 'setPassword("x")'],
  ...['name: password\nvalue: x\n', 'kind: Secret\ndata:\n a: b\n', 'data:\n', '"token", "x", ', '("a", '],
  ...['<password>', '<password>x', '<a b="c">', '| password | x |\n', '|', '| ', '| a ', '|\n'],
  ...[
    'a://',
    'http://a:',
    'http://a:a@',
    'ftp://a:b@c ',
    'postgres://:@',
    'a:1:b:c:d ',
    '1:AA',
    'x:{',
    'oracle:thin:a/',
  ],
  ...[
    'authorization:bearer ',
    'Authorization: Basic ',
    'Authorization: Basic YWJjZGVmZ2hpag ',
    'authorization',
  ],
  ...['--password ', '--password x ', '-p ', 'curl -u ', 'curl -u a:b ', 'mysql -p', '-passin pass:x '],
  ...['-----BEGIN PRIVATE KEY-----', '-----END PRIVATE KEY-----', '-----BEGIN A ', '$2y$10$', 'M.', 'Ma-'],
  ...['a\u200b', '\u200b', 'gh\u200bp_', '%41', '\\n', '\x1b[32m', '«redacted:jwt»', '«'],
]

/** Texts that are made to be dear: of every prefix and word that is looked for, of every sign, and of what was found by thinking. */
export function hostilePieces(): string[] {
  const prefixes = TOKEN_KINDS.flatMap((token) => token.prefixes)
  const words = [...COMMAND_WORDS, ...SENTENCE_WORDS].map(({ prefix }) => prefix)
  const signs = [...'!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~']
  return [
    ...new Set([
      ...KNOWN,
      ...PAIRS,
      ...prefixes.flatMap((prefix) => [prefix, `-${prefix}`, `${prefix}a.`, `${prefix}${'aB1'.repeat(14)} `]),
      ...words.flatMap((word) => [`${word} `, `${word} a `, `${word}=`, `${word}: `]),
      ...signs.flatMap((sign) => [sign, `a${sign}`, `a ${sign}`]),
    ]),
  ]
}

export function filled(piece: string, length: number): string {
  return piece.repeat(Math.ceil(length / piece.length)).slice(0, length)
}
