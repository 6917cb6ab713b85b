import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chanceTexts } from '../../../bench/redact/chance.ts'
import { filled, hostilePieces } from '../../../bench/redact/texts.ts'
import { SECRETS } from '../../../test/support/secrets.ts'
import { redactionMarker } from '../../core/redact.ts'
import { createRedactor } from './redactor.ts'

const { redact } = await createRedactor({})

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
      'password: ',
      '"password": "',
      'password is ',
      '| password |\n',
      'curl -u ',
      '--token ',
      '<password>',
      'name: DB_PASSWORD\nvalue: ',
      'kind: Secret\ndata:\n  a: ',
      '\u200b',
      '\u00ad',
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

  test('and text that is not secret stays, character for character', () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(isSubsequence(redact(text).replaceAll(/«redacted:[a-z0-9_-]+»/g, ''), text)).toBe(true)
        if (text.isWellFormed()) expect(redact(text).isWellFormed()).toBe(true)
      }),
    )
  })

  test('nor do extremely many secrets in a row', () => {
    const once = strict.redact('id123'.repeat(1000))
    expect(once).toBe(redactionMarker('ticket'))
    expect(strict.redact('id123'.repeat(5))).toBe(redactionMarker('ticket').repeat(5))
  })

  test('and everything around them stays', async () => {
    const tokens = `ghp_${'a'.repeat(255)}`.repeat(20)
    const marks = redactionMarker('github_pat').repeat(20)
    expect(redact(`Before.\n${tokens} after.`)).toBe(`Before.\n${marks} after.`)
    for (const pattern of ['\\b[0-9]{4}', '[0-9]{4}\\b']) {
      const own = await createRedactor({ custom: [{ kind: 'pin', pattern }] })
      const once = own.redact(`Call ${'1'.repeat(80)} or\t1234, ${'2'.repeat(78)}.`)
      const pin = redactionMarker('pin')
      expect(once).toBe(`Call ${pin} or\t${pin}, ${pin}`)
      expect(own.redact(once)).toBe(once)
    }
  })
})

/** Code that reads a text repeatedly does not end in time. `npm run bench -- redact` has the figures. */
describe('redacting ends', () => {
  const LENGTH = 64 * 1024

  test('for any text made of the known prefixes, words and signs', () => {
    const pieces = [...hostilePieces(), ...SECRETS.flatMap(({ text }) => [text, `${text} `, `${text}-`])]
    for (const piece of pieces) expect(redact(filled(piece, LENGTH)).length).toBeGreaterThan(0)
  })

  test('for random texts made of them', () => {
    for (const { text } of chanceTexts(1, 400, LENGTH / 4)) expect(redact(text).length).toBeGreaterThan(0)
  })

  test.each([
    ['a value of brackets', ')', 'A_KEY=', 'x'],
    ['a value in open quotes', '\\', 'A_KEY="', 'x'],
    ['a name without an end', 'A_', '', ''],
    ['keys in talk', '-----BEGIN PRIVATE KEY-----\ntalk of it\n', '', ''],
    ['a key of blanks', ' ', '-----BEGIN PRIVATE KEY-----', '-----END PRIVATE KEY-----'],
    ['a key of headers', 'A: b ', '-----BEGIN PRIVATE KEY-----', '-----END PRIVATE KEY-----'],
    ['a key without an end', 'QUJD', '-----BEGIN PRIVATE KEY-----', ''],
    ['a jwt without an end', 'a', 'eyJ', ''],
    ['pairs in a line that is far in', 'a:', `kind: Secret\ndata:\n${' '.repeat(4 * LENGTH)}`, ''],
    ['a jwt with many starts', 'eyJaaaaaaaaaaaa-', '', `.eyJ${'a'.repeat(60_000)}.`],
  ])('for %s', (_, piece, head, tail) => {
    expect(redact(head + filled(piece, 8 * LENGTH) + tail).length).toBeGreaterThan(0)
  })

  test('also under patterns of its owner', async () => {
    const { redact: nested } = await createRedactor({ custom: [{ kind: 'nested', pattern: '(a+)+b' }] })
    const text = filled('a', 1024 * 1024)
    expect(nested(text)).toBe(text)
  })
})

test('a text of secrets only does not grow without end, and stays unchanged the next time', () => {
  const text = filled('A_TOKEN=x ', 1024 * 1024)
  const once = redact(text)
  expect(once.length).toBeLessThan(text.length)
  expect(once).not.toMatch(/=x/)
  expect(redact(once)).toBe(once)
})

function isSubsequence(part: string, whole: string): boolean {
  let at = 0
  for (const unit of whole) if (part.startsWith(unit, at)) at += unit.length
  return at >= part.length
}
