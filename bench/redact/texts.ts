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
