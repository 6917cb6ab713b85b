import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { expectSound, openIn, openWorkspace, temporaryFolder } from '../support/engine.ts'
import { SECRETS } from '../support/secrets.ts'
import { databaseBytes } from '../support/store-files.ts'

/** Bytes that are no text, whose Base64 looks like a secret. */
const LIKE_A_SECRET = 'AKIAIOSFODNN7EXAMPL2'

test('keys are exported and imported with all that is theirs', async () => {
  await using at = await openWorkspace()
  const { keys } = at.memory
  await keys.remember({ key: 'a/b', value: 'one', tags: ['t'] })
  await keys.remember({ key: 'a/b', value: 'two\r\n', tags: ['t', 'u'] })
  await keys.remember({ key: 'ends', value: 'later', ttlSeconds: 1e6, tags: ['t'] })
  await keys.rememberBlob({ key: 'bytes', data: LIKE_A_SECRET, contentType: 'image/png', tags: ['t'] })
  await keys.remember({ key: 'gone', value: 'secret', tags: ['t'] })
  await keys.redact({ key: 'gone' })
  await keys.recall('a/b')
  const before = await keys.list({ tag: 't', includeRedacted: true })
  const history = await keys.history('a/b')
  const pieces: string[] = []
  await at.memory.export((piece) => void pieces.push(piece))

  await using copy = await openIn(temporaryFolder())
  await copy.import(Readable.from([Buffer.from(pieces.join(''))]))
  expect(await copy.keys.list({ tag: 't', includeRedacted: true })).toEqual(before)
  expect(await copy.keys.history('a/b')).toEqual(history)
  expect(await copy.keys.recall('a/b')).toMatchObject({ text: 'two\r\n' })
  expect(await copy.keys.recall('bytes')).toMatchObject({ base64: LIKE_A_SECRET, contentType: 'image/png' })
  expect(await copy.keys.recall('gone')).toMatchObject({ kind: 'redacted' })
  await expectSound(copy)
})

test('bytes that are a text with a secret lose it on the way', async () => {
  const secret = SECRETS[0]
  await using at = await openWorkspace(
    {},
    { settings: { 'redaction.disable_builtin_kinds': [secret?.kind] } },
  )
  const data = Buffer.from(`It has ${secret?.text} in it.`).toString('base64')
  await at.memory.keys.rememberBlob({ key: 'bytes', data, contentType: 'text/plain' })
  const pieces: string[] = []
  await at.memory.export((piece) => void pieces.push(piece))
  expect(pieces.join('')).toContain(data)

  await using copy = await openIn(temporaryFolder())
  await copy.import(Readable.from([Buffer.from(pieces.join(''))]))
  const content = await copy.keys.recall('bytes')
  const base64 = content.kind === 'bytes' ? content.base64 : ''
  expect(Buffer.from(base64, 'base64').toString()).toContain('«redacted:')
  await expectSound(copy)
})

test.each([200, 3000, 200_000])(
  'attributes nested %d levels deep are refused by their line',
  async (levels) => {
    await using at = await openWorkspace()
    await at.memory.keys.remember({ key: 'a', value: 'v' })
    const pieces: string[] = []
    await at.memory.export((piece) => void pieces.push(piece))
    const nested = `"client":${'['.repeat(levels)}1${']'.repeat(levels)}`
    const made = pieces.join('').replace(/"client":"[^"]*"/, nested)
    expect(made).toContain(nested)

    await using copy = await openIn(temporaryFolder())
    await expect(copy.import(Readable.from([Buffer.from(made)]))).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringMatching(
        /^line \d+: document\.door\.attributes is nested deeper than 100 levels; nothing was imported$/,
      ),
    })
  },
)

test('a secret in the name of a key, or in any of its attributes, is lost on the way', async () => {
  const [secret] = SECRETS
  const text = secret?.text ?? ''
  await using at = await openWorkspace(
    {},
    { settings: { 'redaction.disable_builtin_kinds': [secret?.kind] } },
  )
  await at.memory.keys.remember({ key: `token ${text}`, value: 'v', tags: [text] })
  const pieces: string[] = []
  await at.memory.export((piece) => void pieces.push(piece))
  const made = pieces.join('').replaceAll('"client":', `"${text}":`)
  expect(made).toContain(text)

  await using copy = await openIn(temporaryFolder())
  await copy.import(Readable.from([Buffer.from(made)]))
  expect(databaseBytes(copy.path).includes(text)).toBe(false)
  expect(await copy.keys.recall(`token ${text}`)).toMatchObject({ text: 'v' })
  await expectSound(copy)
})
