import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { openKeys } from '../../../../test/support/keys.ts'
import { RESOURCE_ENTRIES, TEMPLATE_ENTRIES } from '../../../../test/support/listed.ts'
import { dispatchTo, servedWith } from '../../../../test/support/served.ts'
import { uriOfKey } from '../../model/names.ts'

async function openRead() {
  const at = await openKeys()
  const served = servedWith({ memory: { observer: async () => at.memory.observer as never } })
  const content = async (uri: string) => (await dispatchTo(served, 'resources/read', { uri })).contents[0]
  const index = async () => (await content('memory://_index')) as { text: string; mimeType: string }
  return Object.assign(at, { content, index })
}

test('are listed as clients know them', () => {
  const shown = RESOURCE_ENTRIES.find(({ uri }) => uri === 'memory://_index')
  expect(shown).toMatchObject({ name: 'Memory index', mimeType: 'text/plain' })
  const template = TEMPLATE_ENTRIES.find(({ uriTemplate }) => uriTemplate === 'memory://{key}')
  expect(template).toMatchObject({ name: 'Memory content', mimeType: 'text/plain' })
})

describe('memory://_index', () => {
  test('is empty without keys', async () => {
    await using at = await openRead()
    expect(await at.index()).toEqual({ uri: 'memory://_index', mimeType: 'text/plain', text: '' })
  })

  test('has the URIs of the seed, in the order of the keys', async () => {
    await using at = await openRead()
    for (const key of ['release-cadence', 'release/smoke-tests', 'release-back-merge'])
      await at.text('remember', { key, value: `value of ${key}` })
    const { text } = await at.index()
    expect(text).toBe('memory://release-back-merge\nmemory://release-cadence\nmemory://release%2Fsmoke-tests')
    for (const uri of text.split('\n')) expect(await at.content(uri)).toMatchObject({ uri })
  })

  test('is in the order of code points of the keys, not of their encoding', async () => {
    await using at = await openRead()
    for (const key of ['b', '😀', 'B', '\uffee', 'ä', '/', '_x', 'core'])
      await at.text('remember', { key, value: 'v' })
    const { text } = await at.index()
    expect(text.split('\n')).toEqual(['/', 'B', '_x', 'b', 'core', 'ä', '\uffee', '😀'].map(uriOfKey))
    expect(text).toContain('memory://_key/core')
    expect(text).toContain('memory://_key/_x')
  })

  test('does not shadow a key of the name index', async () => {
    await using at = await openRead()
    await at.text('remember', { key: 'index', value: 'mine' })
    expect(await at.content('memory://index')).toMatchObject({ text: 'mine' })
    await at.text('remember', { key: '_index', value: 'also mine' })
    expect(await at.content('memory://_key/_index')).toMatchObject({ text: 'also mine' })
  })

  test('leaves out redacted and expired keys', async () => {
    await using at = await openRead()
    for (const key of ['a', 'b', 'c']) await at.text('remember', { key, value: 'v' })
    await at.text('remember', { key: 'd', value: 'v', ttl_seconds: 1 })
    await at.text('redact_memory', { key: 'a' })
    await at.text('forget', { key: 'b' })
    at.pass(1000)
    expect((await at.index()).text).toBe('memory://c')
  })

  test('has the first 500 keys, and a note only when there are more', async () => {
    await using at = await openRead()
    const keys = Array.from({ length: 501 }, (_, number) => `k${String(number).padStart(4, '0')}`)
    for (const key of keys.slice(1)) await at.memory.keys.remember({ key, value: 'v' })
    const lines = (await at.index()).text.split('\n')
    expect(lines).toEqual(keys.slice(1).map(uriOfKey))
    await at.memory.keys.remember({ key: keys[0] as string, value: 'v' })
    await at.memory.keys.redact({ key: keys[1] as string })
    const [body, note] = (await at.index()).text.split('\n\n')
    expect(body?.split('\n')).toEqual([keys[0], ...keys.slice(2, 500)].map((key) => uriOfKey(key as string)))
    expect(note).toBe(
      '_(Index capped at 500 entries; more results may exist. Use the `list_memories` tool with tags for targeted retrieval.)_',
    )
  })
})

describe('memory://{key}', () => {
  test('is the value, and reading it counts as no access', async () => {
    await using at = await openRead()
    await at.text('remember', {
      key: 'release-cadence',
      value: 'Weekly on Thursdays at 2pm UTC',
      tags: ['t'],
    })
    expect(await at.content('memory://release-cadence')).toEqual({
      uri: 'memory://release-cadence',
      mimeType: 'text/plain',
      text: 'Weekly on Thursdays at 2pm UTC',
    })
    expect((await at.json('list_memories', { tag: 't' })).items).toMatchObject([{ recall_count: 0 }])
  })

  test('gives bytes with their type', async () => {
    await using at = await openRead()
    await at.text('remember_blob', { key: 'logo', data: btoa('png'), content_type: 'image/png' })
    expect(await at.content('memory://logo')).toEqual({
      uri: 'memory://logo',
      mimeType: 'image/png',
      blob: btoa('png'),
    })
  })

  test('of an expired key is not found, quoted as other programs do', async () => {
    await using at = await openRead()
    await at.text('remember', { key: "it's\n", value: 'v', ttl_seconds: 1 })
    at.pass(1000)
    await expect(at.content(uriOfKey("it's\n"))).rejects.toMatchObject({
      message: `Memory not found: "it's\\n"`,
      data: { code: 'NOT_FOUND' },
    })
  })

  test('the index leads to the value of any key', async () => {
    await using at = await openRead()
    const key = fc.string({ unit: 'binary', minLength: 1, maxLength: 20 })
    await fc.assert(
      fc.asyncProperty(key, async (name) => {
        await at.memory.keys.remember({ key: name, value: `value of ${name}` })
        const lines = (await at.index()).text.split('\n')
        expect(lines).toContain(uriOfKey(name))
        expect(await at.content(uriOfKey(name))).toMatchObject({ text: `value of ${name}` })
        await at.memory.keys.forget(name)
      }),
      { numRuns: 60 },
    )
  })

  test('has a stamp that every change gives another, and nothing else', async () => {
    await using at = await openRead()
    const stamp = () => at.memory.observer.keyVersion('k')
    const stamps = [await stamp()]
    for (const change of [
      () => at.text('remember', { key: 'k', value: 'one', ttl_seconds: 60 }),
      () => at.text('remember', { key: 'k', value: 'two', ttl_seconds: 60 }),
      async () => at.pass(60_000),
      () => at.text('remember', { key: 'k', value: 'two' }),
      () => at.text('redact_memory', { key: 'k' }),
      () => at.text('forget', { key: 'k' }),
      () => at.text('remember', { key: 'k', value: 'two' }),
    ]) {
      await change()
      stamps.push(await stamp())
      expect(await stamp()).toBe(stamps.at(-1))
    }
    expect(new Set(stamps).size).toBe(stamps.length)
  })
})
