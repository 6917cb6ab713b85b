import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import type { Memory } from '../../src/runtime/memory/open-memory.ts'
import { expectSound, openIn, openWorkspace, temporaryFolder } from '../support/engine.ts'

const LONGEST = 512
const TOO_LONG = {
  code: 'INVALID_INPUT',
  message: expect.stringMatching(/has 513 characters.*at most 512.*shorter/),
}
const BLOB = { data: 'AAAA', contentType: 'image/png' }

test('a new key has at most 512 characters, whatever they are made of', async () => {
  await using at = await openWorkspace()
  const { keys } = at.memory
  for (const letter of ['k', 'é', '東', '🦊']) {
    const longest = letter.repeat(LONGEST)
    expect(await keys.remember({ key: longest, value: 'fits' })).toBe('stored')
    expect(await keys.recall(longest)).toMatchObject({ text: 'fits' })
    const key = `${longest}${letter}`
    await expect(keys.remember({ key, value: 'v' })).rejects.toMatchObject(TOO_LONG)
    await expect(keys.rememberIfAbsent({ key, value: 'v' })).rejects.toMatchObject(TOO_LONG)
    await expect(keys.rememberBlob({ key, ...BLOB })).rejects.toMatchObject(TOO_LONG)
    await expect(keys.recall(key)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  }
  await expectSound(at.memory)
})

test('a key without a character is refused', async () => {
  await using at = await openWorkspace()
  const refused = { code: 'INVALID_INPUT', message: expect.stringContaining('must not be empty') }
  await expect(at.memory.keys.remember({ key: '', value: 'v' })).rejects.toMatchObject(refused)
})

/** A memory with a key that was stored when keys could have any length. */
async function openWithOld(key: string): Promise<Memory> {
  await using at = await openWorkspace()
  await at.memory.keys.remember({ key: 'short', value: 'one', tags: ['t'] })
  await at.memory.keys.remember({ key: 'short', value: 'two', tags: ['t'] })
  const pieces: string[] = []
  await at.memory.export((piece) => void pieces.push(piece))
  const old = pieces.join('').replace('"key":"short"', `"key":${JSON.stringify(key)}`)
  expect(old).toContain(key)
  const copy = await openIn(temporaryFolder())
  await copy.import(Readable.from([Buffer.from(old)]))
  return copy
}

test('a longer key from before is read, changed, restored, redacted and forgotten as ever', async () => {
  const key = 'k'.repeat(100_000)
  await using memory = await openWithOld(key)
  const { keys } = memory
  expect(await keys.recall(key)).toMatchObject({ text: 'two' })
  expect((await keys.list({ tag: 't' })).items).toMatchObject([{ key }])
  const [version] = (await keys.history(key)).versions
  expect(await keys.remember({ key, value: 'three', tags: ['t'] })).toBe('updated')
  await keys.restore({ key, versionTimestamp: version?.version_timestamp ?? '' })
  expect(await keys.recall(key)).toMatchObject({ text: 'one' })
  await keys.redact({ key })
  expect(await keys.recall(key)).toMatchObject({ kind: 'redacted' })
  await keys.forget(key)
  await expect(keys.remember({ key, value: 'anew' })).rejects.toMatchObject({ code: 'INVALID_INPUT' })
  await expectSound(memory)
})
