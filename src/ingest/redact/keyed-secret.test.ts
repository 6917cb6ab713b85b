import { describe, expect, test } from 'vitest'
import { secretOf } from '../../../test/support/secrets.ts'
import { redactionMarker } from '../../core/redact.ts'
import { createRedactor } from './redactor.ts'

const { redact } = await createRedactor({})
const GITHUB = secretOf('github_pat')
const KEYED = redactionMarker('keyed_secret')

describe('a value is judged by the name of its key', () => {
  test.each([
    ['YAML', 'DB_PASSWORD: topsecret', `DB_PASSWORD: ${KEYED}`],
    ['YAML in quotes', "redis_password: 'quietlantern'", `redis_password: '${KEYED}'`],
    ['YAML and a comment', 'admin_password: sunflower9 # new', `admin_password: ${KEYED} # new`],
    ['YAML of several words', 'passphrase: correct donkey lamp', `passphrase: ${KEYED}`],
    ['a block of YAML', 'password: |\n  sunflower\n  field\nuser: x', `password: |\n  ${KEYED}\nuser: x`],
    ['JSON', '{"AWS_SECRET_ACCESS_KEY": "aB3/x+9"}', `{"AWS_SECRET_ACCESS_KEY": "${KEYED}"}`],
    ['JSON within a text', '{\\"password\\":\\"winterTale19\\"}', `{\\"password\\":\\"${KEYED}\\"}`],
    ['an assignment', 'password=foo123', `password=${KEYED}`],
    ['INI', 'aws_secret_access_key = aB3/x+9Zq', `aws_secret_access_key = ${KEYED}`],
    ['a short name', 'DB_PASS=velvet.otter', `DB_PASS=${KEYED}`],
    ['camel case', "clientSecret: 'walrus-bicycle',", `clientSecret: '${KEYED}',`],
    ['kebab case', 'db-password: hazelwood', `db-password: ${KEYED}`],
    ['one word', 'rootpassword=tumbleweed', `rootpassword=${KEYED}`],
    ['two words', 'API key: 8XMj0pY7glfJ', `API key: ${KEYED}`],
    ['bold', '**Password:** hunter2seven', `**Password:** ${KEYED}`],
    ['an arrow', 'api token → BauwiJ97sA4u1eX', `api token → ${KEYED}`],
    ['an arrow after another', '用户→密码→hunter2seven', `用户→密码→${KEYED}`],
    ['a wide colon after another', '数据库：密码：hunter2seven', `数据库：密码：${KEYED}`],
    ['a hash of Ruby', ':password => "Vellum_Page",', `:password => "${KEYED}",`],
    ['Go', 'password := "hawkmoth2"', `password := "${KEYED}"`],
    ['a Makefile', 'PASSWD:=hawkmoth2', `PASSWD:=${KEYED}`],
    ['a type', 'let secret: string = "marzipan-9"', `let secret: string = "${KEYED}"`],
    ['a call', "define('DB_PASSWORD', 'hollyhock2');", `define('DB_PASSWORD', '${KEYED}');`],
    ['XML', '<password>silverbirch</password>', `<password>${KEYED}</password>`],
    [
      'an attribute',
      '<string name="client_secret">aB3x9Zq</string>',
      `<string name="client_secret">${KEYED}</string>`,
    ],
    ['a pair', '- name: DB_PASSWORD\n  value: otter', `- name: DB_PASSWORD\n  value: ${KEYED}`],
    ['a query', '?user=app&password=walnut&ssl=1', `?user=app&password=${KEYED}&ssl=1`],
    ['a connection', 'Server=a;Password=bittern9;Database=b', `Server=a;Password=${KEYED};Database=b`],
    ['a header', 'X-Api-Key: 8XMj0pY7', `X-Api-Key: ${KEYED}`],
    [
      'a table',
      '| user | password |\n| - | - |\n| lena | pigeonhole6 |',
      `| user | password |\n| - | - |\n| lena | ${KEYED} |`,
    ],
    ['.netrc', 'machine a.test login lena password woodlouse', `machine a.test login lena password ${KEYED}`],
    ['.pgpass', 'db.test:5432:orders:app:turnipfield', `db.test:5432:orders:app:${KEYED}`],
    ['SQL', "ALTER USER app WITH PASSWORD 'Whelk7';", `ALTER USER app WITH PASSWORD '${KEYED}';`],
    ['a sentence', 'The password is Thunder#Road7, ok?', `The password is ${KEYED}, ok?`],
    ['another language', 'Passwort: Nebelkr4ehe', `Passwort: ${KEYED}`],
    ['another script', 'パスワード: Sakura7mochi', `パスワード: ${KEYED}`],
    [
      'a key in capitals before a remark',
      'DB_PASSWORD: topsecret: refused',
      `DB_PASSWORD: ${KEYED}: refused`,
    ],
    ['a name of a setting before a remark', 'db_password: topsecret: no', `db_password: ${KEYED}: no`],
    ['a network', 'WIFI:T:WPA;S:Cafe:Guest;P:pancake.sunday;;', `WIFI:T:WPA;S:Cafe:Guest;P:${KEYED};;`],
    ['a network with blanks', 'WIFI:T:WPA;P:pan cake\\;sun;S:Cafe;;', `WIFI:T:WPA;P:${KEYED};S:Cafe;;`],
    ['a network of a page', 'WIFI:S:http://x;T:WPA;P:pancake.sunday;;', `WIFI:S:http://x;T:WPA;P:${KEYED};;`],
    ['numbers in JSON', '{"pin":4821,"admin_pin":9917}', `{"pin":${KEYED},"admin_pin":${KEYED}}`],
    ['a number in JSON', '{"password":8264917,"user":"lena"}', `{"password":${KEYED},"user":"lena"}`],
    ['a list in JSON', '[{"pin":4821},{"pin":9917}]', `[{"pin":${KEYED}},{"pin":${KEYED}}]`],
    [
      'a phrase that begins with a short word',
      'passphrase: ox donkey paperclip lamp',
      `passphrase: ${KEYED}`,
    ],
    [
      'a sign with a backslash',
      'DB_PASSWORD=\\$undial',
      `DB_PASSWORD=${redactionMarker('env_secret_assignment')}`,
    ],
    ['bars between pairs', 'user=lena|password=walnut|a=b', `user=lena|password=${KEYED}|a=b`],
    ['a manifest', 'kind: Secret\ndata:\n  user: YWRtaW4=', `kind: Secret\ndata:\n  user: ${KEYED}`],
  ])('%s', (_, text, expected) => {
    expect(redact(text)).toBe(expected)
    expect(redact(expected)).toBe(expected)
  })

  test.each([
    'The password policy: twelve letters, one digit.',
    'password: see 1Password, entry "staging"',
    'Token: a unit of text, about four characters.',
    `API_KEY=<your-api-key> DB_PASSWORD=\${DB_PASSWORD} TOKEN=$TOKEN`,
    'password: null, secret: true, token: ***, apiKey: undefined',
    'password: string; secret: Vec<u8>; token?: string',
    'password = os.getenv("DB_PASSWORD"); token = getToken()',
    'apiKey: process.env.API_KEY!, password: req.body.password',
    'max_tokens: 4096, token_count=512, password_min_length: 12',
    'primary_key: id, public_key: mOZdNHxgQBRVD9JmTDLD, keyboard: us',
    'password_file: /run/secrets/db, private_key: ~/.ssh/id_rsa',
    'commit: 297843e3d1d60872b34419e7f2bc18ddab185888',
    'request_id: ac05e983-d754-4262-b4c7-3dbb8461e8e8',
    '<input type="password" name="password">',
    '{"password": "Passwort", "confirmPassword": "Repeat"}',
    'https://docs.test/auth/password-reset?step=2',
    'arn:aws:secretsmanager:eu-west-1:282300328158:secret:prod/db-AbCdEf',
    'docker run -u 1000:1000 app --password-stdin',
    'if (password === confirmPassword) submit()',
  ])('and stays when it is none: %s', (text) => {
    expect(redact(text)).toBe(text)
  })
})

describe('a value under a key in a file of names and values', () => {
  test('is judged by that key', () => {
    expect(redact('topsecret', 'DB_PASSWORD')).toBe(KEYED)
    expect(redact('4821', 'pin')).toBe(KEYED)
    expect(redact('Bearer 8XMj0pY7glfJxBw7', 'Authorization')).toBe(
      `Bearer ${redactionMarker('bearer_auth_header')}`,
    )
    expect(redact(KEYED, 'DB_PASSWORD')).toBe(KEYED)
  })

  test('stays under any other key, and if it is not a secret', () => {
    expect(redact('topsecret', 'title')).toBe('topsecret')
    expect(redact('4096', 'max_tokens')).toBe('4096')
    expect(redact('see the vault', 'password')).toBe('see the vault')
    expect(redact('', 'password')).toBe('')
  })

  test('stays when the kind is disabled', async () => {
    const { redact: without } = await createRedactor({ disableBuiltinKinds: ['keyed_secret'] })
    expect(without('topsecret', 'DB_PASSWORD')).toBe('topsecret')
    expect(without('password=foo123')).toBe('password=foo123')
  })
})

describe('a secret that is split by invisible characters', () => {
  test.each(['\u00ad', '\u200b', '\u200c', '\u200d', '\u2060', '\ufeff'])('by %j is found', (hidden) => {
    const split = `${GITHUB.slice(0, 12)}${hidden}${GITHUB.slice(12)}`
    expect(redact(`use ${split} now`)).toBe(`use ${redactionMarker('github_pat')} now`)
    expect(redact(`pass${hidden}word=copper${hidden}wire19`)).toBe(`pass${hidden}word=${KEYED}`)
    expect(redact(`a${hidden}${GITHUB}`)).toBe(`a${hidden}${redactionMarker('github_pat')}`)
  })

  test('and a text that only has such characters stays', () => {
    const text = '👩‍💻 wrote the to\u00adken page, zero\u200bwidth'
    expect(redact(text)).toBe(text)
  })
})

test('a word that another colon follows is a key', () => {
  expect(redact('error: password: invalid_grant: try again')).toBe(
    'error: password: invalid_grant: try again',
  )
  expect(redact('login: password: hunter2seven')).toBe(`login: password: ${KEYED}`)
})

test('a secret behind very many pairs without a blank is found', () => {
  expect(redact(`${'a=b;'.repeat(100)}Pwd=hunter2seven;x=y`)).toBe(`${'a=b;'.repeat(100)}Pwd=${KEYED};x=y`)
  expect(redact(`${'a:b:'.repeat(100)}password=hunter2seven`)).toBe(`${'a:b:'.repeat(100)}password=${KEYED}`)
})

test('a key is judged independently of the key before it', () => {
  for (const before of [
    '',
    '{"user_name": "lena"}\n',
    'user_name = lena\n',
    'USER_NAME=lena\n',
    'my_key = x\n',
  ])
    expect(redact(`${before}{"ACME_KEY": "H1cB5TTmXolxa7AoFWr04W0iKn8rzB0A"}`)).toBe(
      `${before}{"ACME_KEY": "${KEYED}"}`,
    )
})

describe('of a hundred secrets in one line none is left', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => index)

  test.each([
    ['a query', (n: number, value: string) => `a${n}_password=${value}`, '&'],
    ['variables', (n: number, value: string) => `PASSWORD_${n}=${value}`, ';'],
    ['variables with bars', (n: number, value: string) => `PASSWORD_${n}=${value}`, '|'],
    ['variables in a string', (n: number, value: string) => `DB${n}_PASSWORD=${value}`, '\\n'],
    ['minified JSON', (n: number, value: string) => `"password${n}":"${value}"`, ','],
    ['minified JSON without quotes', (n: number, value: string) => `"password${n}":${value}`, ','],
    ['behind names', (n: number, value: string) => `name=n/value=v/password${n}=${value}`, '/'],
  ])('%s', (_, pairOf, separator) => {
    for (const form of [(n: number) => `hu${1000 + n}`, (n: number) => `q${1000 + n}z`]) {
      const once = redact(hundred.map((n) => pairOf(n, form(n))).join(separator))
      expect(hundred.filter((n) => once.includes(form(n)))).toEqual([])
    }
  })

  test.each(['/', '\\n', '%26', '#', '+'])('behind very many names with %j between', (separator) => {
    for (const secret of ['hu12', 'walnut9', 'k:12z', 'k=12z', `${'k'.repeat(20)}1234`])
      expect(redact(`${`name=n${separator}`.repeat(100)}db_password=${secret}${separator}x=y`)).not.toContain(
        secret,
      )
  })
})

test('very many blocks inside a harmless one are all removed', () => {
  const block = (n: number, value: string) => `  db${n}_password: |\n    ${value}\n`
  const head = 'secret: |\n  these are the notes of our team about the words we use every day\n'
  const blocks = (value: string) => Array.from({ length: 40 }, (_, n) => block(n, value)).join('')
  expect(redact(head + blocks('mango-Tractor-41'))).toBe(head + blocks(KEYED))
})

test('a long cell of several words stays in a table of any length', () => {
  const row = `| api_token | ${'aB1'.repeat(14)} and more |\n`
  expect(redact(row.repeat(20))).toBe(row.repeat(20))
})

describe('the text before a secret is read too', () => {
  test.each([
    [
      `curl -u ${GITHUB}:walnut9 x`,
      `curl -u ${redactionMarker('github_pat')}:${redactionMarker('command_line_password')} x`,
    ],
    [
      `ftp://${GITHUB}:walnut9@a.test`,
      `ftp://${redactionMarker('github_pat')}:${redactionMarker('url_password')}@a.test`,
    ],
    [`| token ${GITHUB} | b |\n`, `| token ${redactionMarker('github_pat')} | b |\n`],
  ])('%s', (text, expected) => {
    expect(redact(text)).toBe(expected)
  })
})
