import { describe, expect, test } from 'vitest'
import { SECRETS, secretOf } from '../../../test/support/secrets.ts'
import { MemoryError } from '../../core/errors.ts'
import { redactionMarker } from '../../core/redact.ts'
import { createRedactor } from './redactor.ts'
import { BUILTIN_KINDS } from './text/builtin.ts'

const { redact } = await createRedactor({})
const GITHUB = secretOf('github_pat')
const AWS = secretOf('aws_access_key')
const JWT = secretOf('jwt')
const ENV = redactionMarker('env_secret_assignment')

describe('every built-in kind', () => {
  test('has an example here, in the order of the kinds', () => {
    expect([...new Set(SECRETS.map(({ kind }) => kind))]).toEqual(BUILTIN_KINDS)
  })

  test.each(SECRETS.map((secret) => [secret.kind, secret.text, secret] as const))(
    '%s: %j',
    (kind, text, { all, after }) => {
      const before = text.slice(0, text.length - all.length - after.length)
      for (const [left, right] of [
        ['', ''],
        ['use ', ' now'],
        ['("', '")'],
        ['\n', '\n'],
        ['`', '`'],
        ['ü:', ' é'],
      ])
        expect(redact(`${left}${text}${right}`)).toBe(
          `${left}${before}${redactionMarker(kind)}${after}${right}`,
        )
    },
  )

  test.each(BUILTIN_KINDS)('%s can be disabled, and nothing else with it', async (kind) => {
    const others = await createRedactor({ disableBuiltinKinds: [kind] })
    expect(others.kinds).toEqual(BUILTIN_KINDS.filter((other) => other !== kind))
    for (const { kind: other, text } of SECRETS)
      if (other !== kind) expect(others.redact(text), other).toContain('«redacted:')
    expect(others.redact(secretOf(kind))).not.toContain(redactionMarker(kind))
  })
})

describe('near misses stay unchanged', () => {
  const without = (kind: string, count = 1): string => secretOf(kind).slice(0, -count)
  test.each([
    ['one character short', without('aws_access_key')],
    ['one too many', `${AWS}X`],
    ['in lower case', AWS.toLowerCase()],
    ['in the middle of a word', `x${AWS}`],
    ['in the middle of base64', `QUJD${secretOf('google_api_key')}`],
    ['a short google client secret', without('gcp_oauth_client_secret')],
    ['a long google key', `${secretOf('google_api_key')}x`],
    ['a short github token', without('github_pat')],
    ['a github token of no kind', GITHUB.replace('ghp', 'ghx')],
    ['a short fine-grained token', without('github_fine_grained_pat')],
    ['a short gitlab token', without('gitlab_pat')],
    ['the prefix of an anthropic key', 'sk-ant-api03-…'],
    ['a short hugging face token', without('huggingface_token')],
    ['an openai key without its middle', secretOf('openai_api_key').replace('T3BlbkFJ', 'AAAAAAAA')],
    ['a short stripe key', without('stripe_secret_key')],
    ['a publishable stripe key', secretOf('stripe_secret_key').replace('sk_', 'pk_')],
    ['a short webhook secret', without('stripe_webhook_secret')],
    ['a discord token of another letter', secretOf('discord_bot_token').replace('M', 'X')],
    ['the address of the discord api', 'https://discord.com/api/webhooks/'],
    ['a slack token without a kind', 'xoxz-123456789012345678'],
    ['the documentation of slack hooks', 'https://hooks.slack.com/services/T000/B000/XXXX'],
    ['a short mailgun key', without('mailgun_api_key')],
    ['a mailgun key that is not hex', secretOf('mailgun_api_key').replace('a', 'g')],
    ['a short sendgrid key', without('sendgrid_api_key')],
    ['an npm package', 'npm_config_registry and npm_lifecycle_event'],
    ['a short pypi token', 'pypi-AgEIcHlwaS5vcmcAAAA'],
    ['a short linear key', without('linear_api_key')],
    ['two parts of a jwt', JWT.split('.').slice(0, 2).join('.')],
    ['a jwt whose second part is none', JWT.replace('.eyJ', '.abc')],
    ['a database without a password', 'postgres://db.example.org:5432/app and postgres://app@db/app'],
    ['a url with an @ in its path', 'https://example.org:8080/users/@me and https://example.org/a:b@c'],
    ['a bearer of little', 'Authorization: Bearer <token>'],
    ['talk of bearers', 'the bearer of this letter, authorization: basic'],
    [
      'a public key',
      '-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A\n-----END PUBLIC KEY-----',
    ],
    [
      'a certificate',
      '-----BEGIN CERTIFICATE-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A\n-----END CERTIFICATE-----',
    ],
    ['a name that says little', 'TOKEN=abc KEY=abc key: value'],
    ['a name that goes on', 'API_KEYS=3 MAX_TOKENS=5 KEYBOARD=us'],
    ['an assignment of nothing', 'API_KEY= API_KEY="" API_KEY=\nAPI_KEY='],
    ['a comparison', 'if (API_KEY == key || API_KEY=="x" || API_KEY => x)'],
    ['code', 'API_KEY = loadKey()'],
    ['a text that ends before the value', 'cmd = "API_KEY=" + key; run("API_KEY=", ["API_KEY="])'],
    ['talk of a name', 'Set `API_KEY=` to your key, in "API_KEY=", as ever.'],
    ['markup that talks of a quote', '<code>API_KEY="</code> and <a href="http://y">x</a>'],
    ['talk of a quote', 'Set API_KEY=" and then go on'],
    ['a text that ends after a blank', 'cmd = "API_KEY= " + key + "x"; f("API_KEY=" + "x")'],
  ])('%s', (_, text) => {
    expect(redact(text)).toBe(text)
  })
})

describe('the value of an assignment', () => {
  test.each([
    ['API_KEY=abc', `API_KEY=${ENV}`],
    ['export FOO_TOKEN="abc def"', `export FOO_TOKEN="${ENV}"`],
    ['FOO_TOKEN=\'it is "x"\' next', `FOO_TOKEN='${ENV}' next`],
    ['FOO_TOKEN="a \\"b\\" c"; next', `FOO_TOKEN="${ENV}"; next`],
    ['API_KEY = "abc"', `API_KEY = "${ENV}"`],
    ['API_KEY := abc', 'API_KEY := abc'],
    ['API_KEY:=abc', `API_KEY:=${ENV}`],
    ['"API_KEY=abc"', `"API_KEY=${ENV}"`],
    ['{"env":["API_KEY=abc","B=1"]}', `{"env":["API_KEY=${ENV}","B=1"]}`],
    ['{"run":"export API_KEY=\\"abc\\" && x"}', `{"run":"export API_KEY=\\"${ENV}\\" && x"}`],
    ['{"run":"API_KEY=abc"}', `{"run":"API_KEY=${ENV}"}`],
    ['(API_KEY=abc)', `(API_KEY=${ENV})`],
    ['[API_KEY=abc], {API_KEY=abc};', `[API_KEY=${ENV}], {API_KEY=${ENV}};`],
    ['Use API_KEY=abc, or API_KEY=abd.', `Use API_KEY=${ENV}, or API_KEY=${ENV}.`],
    ['`API_KEY=abc`', `\`API_KEY=${ENV}\``],
    ['<b>API_KEY=abc</b>', `<b>API_KEY=${ENV}</b>`],
    ['| API_KEY=abc | b |', `| API_KEY=${ENV} | b |`],
    ['API_KEY="abc', `API_KEY="${ENV}`],
    ['MY_TOKEN= "s3cret"', `MY_TOKEN= "${ENV}"`],
    ['MY_TOKEN ="s3cret"', `MY_TOKEN ="${ENV}"`],
    ["MY_TOKEN ='s3cret'", `MY_TOKEN ='${ENV}'`],
    ['DB_PASSWORD="  pw"', `DB_PASSWORD="${ENV}"`],
    ['DB_PASSWORD=") pw"', `DB_PASSWORD="${ENV}"`],
    ['say "x" with DB_PASSWORD=" it\'s pw" now', `say "x" with DB_PASSWORD="${ENV}" now`],
    ['MY_TOKEN="a b c', `MY_TOKEN="${ENV}`],
    ['MY_TOKEN="a b c \nnext "line"', `MY_TOKEN="${ENV} \nnext "line"`],
    ['MY_TOKEN=&quot;a b&quot; c', `MY_TOKEN=&quot;${ENV}&quot; c`],
    ['MY_TOKEN=&#34;a b&#34; c', `MY_TOKEN=&#34;${ENV}&#34; c`],
    ['MY_TOKEN=&#39;a b&apos; c', `MY_TOKEN=&#39;${ENV}&apos; c`],
    ['DB_PASSWORD=p<4,5;6)7|8', `DB_PASSWORD=${ENV}`],
    ['DB_PASSWORD=ab"cd"ef', `DB_PASSWORD=${ENV}`],
    ['DB_PASSWORD=größe🔑', `DB_PASSWORD=${ENV}`],
    ['A_KEY=a B_SECRET=b\nC_TOKEN=c', `A_KEY=${ENV} B_SECRET=${ENV}\nC_TOKEN=${ENV}`],
    ['A_KEY=B_KEY=abc', `A_KEY=${ENV}`],
    [`GITHUB_TOKEN=${GITHUB}`, `GITHUB_TOKEN=${ENV}`],
    [`API_KEY=${'x'.repeat(5000)} y`, `API_KEY=${ENV} y`],
  ])('%s', (text, expected) => {
    expect(redact(text)).toBe(expected)
  })
})

describe('a secret is found after an escape', () => {
  const pat = secretOf('github_pat')
  const marker = redactionMarker('github_pat')
  test.each([
    ['a line feed in a text', `"your token:\\n${pat}"`, `"your token:\\n${marker}"`],
    ['an encoded sign in an address', `https://x.org/?env=GH%3D${pat}`, `https://x.org/?env=GH%3D${marker}`],
    ['a code point', `{"q":"t\\u003d${pat}"}`, `{"q":"t\\u003d${marker}"}`],
    ['a colour', `\x1b[32m${pat}\x1b[0m`, `\x1b[32m${marker}\x1b[0m`],
    [
      'an assignment',
      `'USER=x\\nDB_PASSWORD=hunter2horse\\n'`,
      `'USER=x\\nDB_PASSWORD=${redactionMarker('env_secret_assignment')}'`,
    ],
  ])('%s', async (_case, text, expected) => {
    const { redact } = await createRedactor({})
    expect(redact(text)).toBe(expected)
  })
})

test.each([
  'http://localhost:8080?user=me@example.org',
  'http://host:8080#a@b',
  'http://host:80,admin@host.org',
  '(http://x:8080)user@mail.org',
])('an ordinary address stays: %s', async (text) => {
  const { redact } = await createRedactor({})
  expect(redact(text)).toBe(text)
})

test('a token in an address is named by its kind, and the address stays', async () => {
  const { redact } = await createRedactor({})
  expect(redact(`git clone https://${secretOf('github_pat')}@github.com/acme/tools.git`)).toBe(
    `git clone https://${redactionMarker('github_pat')}@github.com/acme/tools.git`,
  )
})

describe('a private key', () => {
  const body = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSj'
  const marker = redactionMarker('private_key_block')

  test('that is cut off is redacted up to its end', () => {
    expect(redact(`-----BEGIN PRIVATE KEY-----\n${body}\n${body}\n\nText.`)).toBe(`${marker}\n\nText.`)
    expect(redact(`-----BEGIN PRIVATE KEY-----\\n${body}\\n${body}"}`)).toBe(`${marker}"}`)
  })

  test('ends at its own end', () => {
    const key = `-----BEGIN EC PRIVATE KEY-----\n${body}\n-----END EC PRIVATE KEY-----`
    expect(redact(`${key} between ${key}`)).toBe(`${marker} between ${marker}`)
    expect(redact(`-----BEGIN PRIVATE KEY----- is how it begins\n${key}`)).toBe(
      `-----BEGIN PRIVATE KEY----- is how it begins\n${marker}`,
    )
  })

  test.each([
    ['a quotation', (line: string) => `> ${line}`],
    ['a list', (line: string) => `  - ${line}`],
    ['a quoted list', (line: string) => `    "${line}\\n" +`],
    ['a comment', (line: string) => `// ${line}`],
    ['a table', (line: string) => `| ${line} |`],
    ['numbered lines', (line: string) => `12\t${line}`],
    ['lines with blanks at their ends', (line: string) => `${line}  `],
  ])('in %s is redacted', (_, write) => {
    const key = ['-----BEGIN PRIVATE KEY-----', body, '', `${body}==`, 'abc=', '-----END PRIVATE KEY-----']
    expect(redact(key.map(write).join('\n'))).not.toMatch(/MIIE|abc|END/)
  })

  test.each([
    ['with escaped line ends', `\\n${body}\\nabc=\\n`],
    ['with escaped line ends of Windows', `\\r\\n${body}\\r\\nabc=\\r\\n`],
    ['in one line', ` ${body} ${body} abc= `],
    ['with headers, in one line', ` Proc-Type: 4,ENCRYPTED DEK-Info: AES-256-CBC,0A1B ${body} abc= `],
    ['with headers', `\nVersion: A program\nComment: Made by "me"\n\n${body}\n=aB3d\n`],
    ['that is cut short', `\n${body}...\n`],
  ])('%s is redacted', (_, inner) => {
    expect(redact(`-----BEGIN PRIVATE KEY-----${inner}-----END PRIVATE KEY-----`)).toBe(marker)
  })

  test.each([
    ['a page between', '\n\nIs how it begins. Then there are lines of base64.\n\n# Next\n\n'],
    ['a sentence between', ' and '],
    ['headings between', '\n\n# Keys\n\nNote: this is how it ends\n\n'],
    ['nothing between', '\n'],
    ['a word between', '\nbase\n'],
    ['dots between', '\n...\n'],
  ])('is not what has %s its two lines', (_, inner) => {
    const page = `It says -----BEGIN PRIVATE KEY-----${inner}-----END PRIVATE KEY----- at its end.`
    expect(redact(page)).toBe(page)
  })

  test('takes no page with it that has its two lines far apart', () => {
    const page = `-----BEGIN PRIVATE KEY-----\n${'Talk about keys.\n'.repeat(3000)}-----END PRIVATE KEY-----`
    expect(redact(page)).toBe(page)
  })
})

test.each([
  ['See https://a:b@example.org/x, or https://a:b@example.org.', 'See M, or M.', 'basic_auth_url'],
  ['[db](postgres://a:p@ss@db/x) and <mysql://a:b@db>', '[db](M) and <M>', 'db_connection_string'],
  [
    `{\\"Authorization\\": \\"Bearer ${'xY1z'.repeat(5)}\\"}`,
    '{\\"Authorization\\": \\"Bearer M\\"}',
    'bearer_auth_header',
  ],
])('the text around a secret stays: %j', (text, expected, kind) => {
  expect(redact(text)).toBe(expected.replaceAll('M', redactionMarker(kind)))
})

describe('hits that overlap', () => {
  test('the one that contains the other wins', () => {
    expect(redact(`Authorization: Bearer ${JWT}`)).toBe(
      `Authorization: Bearer ${redactionMarker('bearer_auth_header')}`,
    )
    expect(redact(`https://app:${GITHUB}@example.org/x`)).toBe(redactionMarker('basic_auth_url'))
    expect(redact(`-----BEGIN PRIVATE KEY-----\n${AWS}\n-----END PRIVATE KEY-----`)).toBe(
      redactionMarker('private_key_block'),
    )
  })

  test('the first one wins, and the rest of the other is scanned again', async () => {
    const { redact: both } = await createRedactor({
      custom: [
        { kind: 'first', pattern: 'aaab' },
        { kind: 'second', pattern: 'b+c|c' },
      ],
    })
    expect(both('aaabbc')).toBe(`${redactionMarker('first')}${redactionMarker('second')}`)
  })

  test('in the same place the longest wins', async () => {
    const { redact: both } = await createRedactor({
      custom: [
        { kind: 'short', pattern: 'ab' },
        { kind: 'long', pattern: 'abc' },
      ],
    })
    expect(both('abc')).toBe(redactionMarker('long'))
  })
})

describe('settings', () => {
  const refusal = async (settings: Parameters<typeof createRedactor>[0]): Promise<string> => {
    const error = await createRedactor(settings).then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    if (!(error instanceof MemoryError)) throw new Error('not refused')
    expect(error.code).toBe('INVALID_INPUT')
    return error.message
  }

  test('custom patterns are looked for too, and after the built-in ones', async () => {
    const { redact: own, kinds } = await createRedactor({
      custom: [{ kind: 'ticket-no', pattern: '(?i)ticket-\\d{4}' }],
    })
    expect(own(`Ticket-1234 🔑 TICKET-99999, ${AWS}`)).toBe(
      `${redactionMarker('ticket-no')} 🔑 ${redactionMarker('ticket-no')}9, ${redactionMarker('aws_access_key')}`,
    )
    expect(kinds).toEqual([...BUILTIN_KINDS, 'ticket-no'])
  })

  test('an unknown kind to disable is refused, and the known ones are named', async () => {
    expect(await refusal({ disableBuiltinKinds: ['jwt', 'jwtt'] })).toBe(
      `invalid redaction.disable_builtin_kinds: unknown built-in redaction kind "jwtt"; known are ${BUILTIN_KINDS.join(', ')}`,
    )
  })

  test.each([
    ['', 'a', 'a kind is empty'],
    ['a»b', 'a', 'the kind "a»b" must be'],
    ['Big', 'a', 'the kind "Big" must be'],
    ['jwt', 'a', 'the kind "jwt" is a built-in kind'],
    ['x', '(', 'the pattern of "x" is not a regular expression that RE2 knows: '],
    ['x', '(?<=a)b', 'the pattern of "x" is not a regular expression that RE2 knows: '],
    ['x', '(a)\\1', 'the pattern of "x" is not a regular expression that RE2 knows: '],
    ['x', '', 'the pattern of "x" also matches the empty text'],
    ['x', 'a*', 'the pattern of "x" also matches the empty text'],
    ['x', '\\b', 'the pattern of "x" also matches the empty text'],
    ['x', '^|y', 'the pattern of "x" also matches the empty text'],
  ])('the custom pattern %j: %j is refused', async (kind, pattern, reason) => {
    expect(await refusal({ custom: [{ kind, pattern }] })).toContain(`invalid redaction.custom: ${reason}`)
  })

  test('a custom kind that is defined twice is refused', async () => {
    const custom = [
      { kind: 'x', pattern: 'a' },
      { kind: 'x', pattern: 'b' },
    ]
    expect(await refusal({ custom })).toContain('the kind "x" is defined twice')
  })

  test('are plain data, of which another thread makes the same redactor', async () => {
    const made = await createRedactor({ disableBuiltinKinds: ['jwt'], custom: [{ kind: 'x', pattern: 'a' }] })
    const again = await createRedactor(structuredClone(made.settings))
    expect(again).toMatchObject({ fingerprint: made.fingerprint, kinds: made.kinds })
  })

  test('the fingerprint distinguishes settings, and is stable for the same', async () => {
    const fingerprints = await Promise.all(
      [
        {},
        { disableBuiltinKinds: ['jwt'] },
        { disableBuiltinKinds: ['jwt', 'npm_token'] },
        { custom: [{ kind: 'x', pattern: 'a' }] },
        { custom: [{ kind: 'x', pattern: 'b' }] },
        { custom: [{ kind: 'y', pattern: 'a' }] },
      ].map(async (settings) => (await createRedactor(settings)).fingerprint),
    )
    expect(new Set(fingerprints).size).toBe(fingerprints.length)
    const reversed = await createRedactor({ disableBuiltinKinds: ['npm_token', 'jwt'] })
    expect(reversed.fingerprint).toBe(fingerprints[2])
  })
})
