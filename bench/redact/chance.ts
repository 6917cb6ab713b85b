import { COMMAND_WORDS } from '../../src/ingest/redact/command-words.ts'
import { SENTENCE_WORDS } from '../../src/ingest/redact/sentence.ts'
import { TOKEN_KINDS } from '../../src/ingest/redact/token-kinds.ts'
import { filled } from './texts.ts'

export interface ChanceText {
  /** What it is made of. */
  pattern: string
  text: string
}

type Random = () => number

const KEYS = words(`
  password pw PW pwd Password PASSWORD passphrase pass key Key KEY token TOKEN secret api api_key A_KEY DB_PASSWORD name value default
  content variable kind data id client_secret secret_id pin otp auth cookie credentials authorization Authorization public_key
  material mnemonic b d v prod getPassword setToken apikey rootpassword 密码 пароль schlüssel wifi max a x is identified Secret`)
const SEPARATORS = [
  ...words(
    `= : := => -> → ： =" =' =\\" =&quot; > | :// @ ; & += ?= =\` ''' """ < </ "> <![CDATA[ ** $ \${ {{ -- / \\n %3D \\u0041`,
  ),
  ...[
    ': ',
    ' = ',
    '": "',
    ' ',
    ', ',
    '", "',
    '("',
    ' is ',
    ' - ',
    ': |\n  ',
    '\n',
    '\n  ',
    ' :',
    ' -',
    ' -p ',
    '\x1b[0m',
  ],
]
const VALUES = [
  ...words(`
    x a1! hunter2 null true <your-key> \${A} xxxx Str0ng!pass /run/a ./a ~/x vault:a ENC( a.b.c getX( $NAME @NAME@ __A__ «redacted:jwt»
    YWJjZGVmZ2hpag== process.env.A 1234 **** ... … ssh-rsa {SHA} $2y$10$ oracle:thin: :11:b: WIFI:T: «redacted: eyJaaaaaaaaaaaa.eyJ`),
  ...[
    'a b c',
    '\nkind: Secret\n',
    '\ndata:\n',
    'echo a|',
    'Env:',
    "by '",
    '-Value ',
    '-----BEGIN PRIVATE KEY-----',
  ],
  ...['aB1'.repeat(12), 'a'.repeat(40), '1'.repeat(24)],
]
const SIGNS = [...'!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~ \n\t→：«»\u200b\u00ad0aAxZém']
const WORDS = [...COMMAND_WORDS, ...SENTENCE_WORDS].map(({ prefix }) => prefix)
const PREFIXES = TOKEN_KINDS.flatMap(({ prefixes }) => prefixes)
const KINDS: Readonly<Record<string, readonly string[]>> = {
  key: KEYS,
  separator: SEPARATORS,
  value: VALUES,
  sign: SIGNS,
  word: WORDS,
  prefix: PREFIXES,
}
const NAME_LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJ0123_-.'
const MOST_FRAGMENTS = 5

/**
 * Hostile texts by chance, of fragments of all that is looked for: half of them repeat a piece, in the others every repetition has
 * other words and names, so that nothing can be remembered. The same texts for the same seed.
 */
export function chanceTexts(seed: number, count: number, length: number): ChanceText[] {
  const random = seeded(seed)
  return Array.from({ length: count }, (_, at) =>
    at % 2 === 0 ? repeatedText(random, length) : variedText(random, length),
  )
}

function repeatedText(random: Random, length: number): ChanceText {
  let piece = ''
  const fragments = 1 + Math.floor(random() * MOST_FRAGMENTS)
  for (let count = 0; count < fragments; count++) piece += pick(random, pick(random, Object.values(KINDS)))
  return { pattern: piece, text: filled(piece, length) }
}

/** Each part of the pattern is a fixed separator, a made-up name, or any fragment of one kind. */
function variedText(random: Random, length: number): ChanceText {
  const parts = Array.from({ length: 2 + Math.floor(random() * MOST_FRAGMENTS) }, () => partOf(random))
  const pieces: string[] = []
  for (let made = 0; made < length; ) {
    const piece = parts.map(({ make }) => make()).join('')
    pieces.push(piece)
    made += piece.length
  }
  return { pattern: parts.map(({ name }) => name).join(''), text: pieces.join('').slice(0, length) }
}

function partOf(random: Random): { name: string; make: () => string } {
  const kind = random()
  if (kind < 0.35) {
    const separator = pick(random, SEPARATORS)
    return { name: separator, make: () => separator }
  }
  if (kind < 0.6) return { name: '<name>', make: () => nameOf(random) }
  const [name, list] = pick(random, Object.entries(KINDS))
  return { name: `<${name}>`, make: () => pick(random, list) }
}

function nameOf(random: Random): string {
  let name = ''
  for (let length = 1 + random() * 6; length > 0; length--)
    name += NAME_LETTERS[Math.floor(random() * NAME_LETTERS.length)]
  return random() < 0.6 ? name + pick(random, ['_', '-', '', '.', ' ']) + pick(random, KEYS) : name
}

function pick<T>(random: Random, list: readonly T[]): T {
  return list[Math.floor(random() * list.length)] as T
}

function words(list: string): string[] {
  return list.trim().split(/\s+/)
}

/** Numbers from 0 to 1 (mulberry32). */
function seeded(seed: number): Random {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
