import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { SECRETS, secretOf } from '../../../test/support/secrets.ts'
import { redactionMarker } from '../../core/redact.ts'
import { createRedactor } from './redactor.ts'

const { redact } = await createRedactor({})
const AWS = secretOf('aws_access_key')

describe('redacting again changes nothing', async () => {
  const strict = await createRedactor({
    custom: [
      { kind: 'ticket', pattern: '\\bid[0-9]{3}' },
      { kind: 'word', pattern: '(?i)redacted|hush.*' },
      { kind: 'end', pattern: 'z$' },
    ],
  })
  const pieces = fc.oneof(
    fc.constantFrom(...SECRETS.map(({ text }) => text)),
    fc.constantFrom(
      'API_KEY=',
      '«redacted:',
      '»',
      '«redacted:jwt»',
      '"',
      "'",
      '\\',
      ' ',
      '\n',
      ',',
      '.',
      '-',
      '_',
      'A',
    ),
    fc.constantFrom(
      'id123',
      'z',
      'hush',
      'eyJ',
      'sk-',
      '://',
      '@',
      '-----BEGIN PRIVATE KEY-----',
      '🔑',
      '\ud83d',
    ),
    fc.string({ unit: 'binary', maxLength: 5 }),
  )
  const texts = fc.array(pieces, { maxLength: 12 }).map((found) => found.join(''))

  test('for any text', () => {
    fc.assert(
      fc.property(texts, (text) => {
        for (const one of [redact, strict.redact]) {
          const once = one(text)
          expect(one(once)).toBe(once)
        }
      }),
      { numRuns: 2000 },
    )
  })

  test('and what is not secret stays, character for character', () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(isSubsequence(redact(text).replaceAll(/«redacted:[a-z0-9_-]+»/g, ''), text)).toBe(true)
        if (text.isWellFormed()) expect(redact(text).isWellFormed()).toBe(true)
      }),
    )
  })

  test('nor do more secrets in a row than anyone would write', () => {
    const once = strict.redact('id123'.repeat(1000))
    expect(once).toBe(redactionMarker('ticket'))
    expect(strict.redact('id123'.repeat(5))).toBe(redactionMarker('ticket').repeat(5))
  })

  test('and of what stands around them everything stays', async () => {
    const tokens = `ghp_${'a'.repeat(255)}`.repeat(20)
    expect(redact(`Before.\n${tokens} after.`)).toBe(`Before.\n${redactionMarker('github_pat')} after.`)
    for (const pattern of ['\\b[0-9]{4}', '[0-9]{4}\\b']) {
      const own = await createRedactor({ custom: [{ kind: 'pin', pattern }] })
      const once = own.redact(`Call ${'1'.repeat(80)} or\t1234, ${'2'.repeat(78)}.`)
      const pin = redactionMarker('pin')
      expect(once).toBe(`Call ${pin} or\t${pin}, ${pin}`)
      expect(own.redact(once)).toBe(once)
    }
  })
})

/** Each would take hours if the time were not linear in the length. */
describe('a hostile text of a megabyte comes to an end:', () => {
  const MEGABYTE = 1024 * 1024
  const filled = (piece: string, head = '', tail = ''): string =>
    head + piece.repeat(Math.ceil(MEGABYTE / piece.length)) + tail
  test.each([
    'eyJ',
    'eyJ.',
    '-eyJ',
    '-eyJaaaaaaaaaaaa.',
    'eyJaaaaaaaaaaaa.eyJaaaaaaaaaaaa.',
    'A.',
    'M.',
    'Ma-',
    `M${'a'.repeat(23)}.aaaaaa.`,
    'sk-',
    'sk-ant-api',
    'sk-proj-T3BlbkFJ',
    'ghp_',
    'glpat-',
    'key-',
    'xoxb-',
    'SG.',
    'A_KEY',
    'A_KEY=',
    'A_KEY="',
    'A_KEY=\\"',
    'A_KEY=)',
    'KEY',
    '_',
    '=',
    'a://',
    'http://a:',
    'http://a:a@',
    'postgres://:@',
    'authorization:bearer ',
    'authorization',
    '-----BEGIN PRIVATE KEY-----',
    '-----END PRIVATE KEY-----',
    '-----BEGIN PRIVATE KEY----------END PRIVATE KEY-----',
    `-----BEGIN PRIVATE KEY-----${'a'.repeat(24)}\n`,
    '-----BEGIN A ',
    'discord.com/api/webhooks/1/',
    '«redacted:jwt»',
    'A_KEY=«redacted:jwt»',
    AWS,
    `ghp_${'a'.repeat(255)}`,
    `ghp_${'a'.repeat(255)} `,
    `ghp_${'a'.repeat(255)}${AWS}`,
    'A_KEY=" ',
    'A_KEY=&quot;',
    'A_KEY=\'a"',
    `${AWS}-`,
    `aAKIA`,
  ])('%s', (piece) => {
    const text = filled(piece)
    expect(redact(text).length).toBeGreaterThan(0)
  })

  test.each([
    ['a value of brackets', filled(')', 'A_KEY=', 'x')],
    ['a value in open quotes', filled('\\', 'A_KEY="', 'x')],
    ['a name without an end', filled('A_')],
    ['keys in talk', filled('-----BEGIN PRIVATE KEY-----\ntalk of it\n')],
    ['a key of blanks', filled(' ', '-----BEGIN PRIVATE KEY-----', '-----END PRIVATE KEY-----')],
    ['a key of headers', filled('A: b ', '-----BEGIN PRIVATE KEY-----', '-----END PRIVATE KEY-----')],
    ['a key without an end', filled('QUJD', '-----BEGIN PRIVATE KEY-----')],
    ['a jwt without an end', filled('a', 'eyJ')],
  ])('%s', (_, text) => {
    expect(redact(text).length).toBeGreaterThan(0)
  })

  test('also under patterns of its owner', async () => {
    const { redact: nested } = await createRedactor({ custom: [{ kind: 'nested', pattern: '(a+)+b' }] })
    const text = filled('a')
    expect(nested(text)).toBe(text)
  })
})

function isSubsequence(part: string, whole: string): boolean {
  let at = 0
  for (const unit of whole) if (part.startsWith(unit, at)) at += unit.length
  return at >= part.length
}
