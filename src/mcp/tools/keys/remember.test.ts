import { describe, expect, test } from 'vitest'
import { openKeys } from '../../../../test/support/keys.ts'
import { SECRETS } from '../../../../test/support/secrets.ts'

const KEY = { key: 'release-cadence' }
const VALUE = 'Weekly on Thursdays at 2pm UTC'

describe('remember', () => {
  test('stores, then changes nothing, then replaces', async () => {
    await using at = await openKeys()
    expect(await at.call('remember', { ...KEY, value: VALUE, tags: ['release'] })).toEqual({
      text: "Stored memory 'release-cadence'.",
      structured: { result: "Stored memory 'release-cadence'." },
      meta: {
        hive: {
          memory_quota: { used: 1, limit: null, remaining: null },
          rate_limit: { per_minute_limit: null, per_day_limit: null },
        },
      },
    })
    expect(await at.text('recall', KEY)).toBe(VALUE)
    const version = await at.version(KEY.key)
    expect(await at.text('remember', { ...KEY, value: VALUE, tags: ['release'] })).toBe(
      "Memory 'release-cadence' unchanged.",
    )
    expect(await at.version(KEY.key)).toBe(version)
    expect(await at.memory.snapshots()).toHaveLength(1)
    expect(await at.text('remember', { ...KEY, value: 'Daily' })).toBe("Updated memory 'release-cadence'.")
    expect(await at.text('recall', KEY)).toBe('Daily')
    expect(await at.version(KEY.key)).not.toBe(version)
  })

  test('tags that were not given are removed, and their order does not matter', async () => {
    await using at = await openKeys()
    await at.text('remember', { ...KEY, value: VALUE, tags: ['a', 'b', 'a'] })
    expect(await at.text('remember', { ...KEY, value: VALUE, tags: ['b', 'a'] })).toContain('unchanged')
    expect(await at.text('remember', { ...KEY, value: VALUE, tags: ['b'] })).toContain('Updated')
    expect(await at.text('remember', { ...KEY, value: VALUE, tags: null })).toContain('Updated')
    expect(await at.json('list_tags')).toEqual({ tags: [], count: 0 })
    expect(await at.text('remember', { ...KEY, value: VALUE, tags: [] })).toContain('unchanged')
  })

  test('keeps a value exactly', async () => {
    await using at = await openKeys()
    for (const value of [
      '',
      ' \n\t ',
      '# Not\r\nMarkdown  \n\n\n',
      '\ufeff{"a":1}\u0000',
      '- [ ] x\n'.repeat(50),
    ]) {
      await at.text('remember', { ...KEY, value })
      expect(await at.text('recall', KEY)).toBe(value)
    }
  })

  test('has a version that is a time, and another one after every write of one millisecond', async () => {
    await using at = await openKeys()
    const versions = new Set<string>()
    for (const value of ['one', 'two', 'three']) {
      await at.text('remember', { ...KEY, value })
      versions.add(await at.version(KEY.key))
    }
    expect(versions.size).toBe(3)
    for (const version of versions) {
      expect(version).toMatch(/^2026-06-14T21:58:12\.123\d{3}\+00:00$/)
      expect(new Date(version).getTime()).toBe(Date.UTC(2026, 5, 14, 21, 58, 12, 123))
    }
  })

  test('with the current version replaces, with another one names the current one', async () => {
    await using at = await openKeys()
    await at.text('remember', { ...KEY, value: 'Zürich 😀' })
    const version = await at.version(KEY.key)
    await at.text('remember', { ...KEY, value: 'newer “text”' })
    const current = await at.version(KEY.key)
    await expect(at.text('remember', { ...KEY, value: 'mine', version })).rejects.toMatchObject({
      code: 'CONFLICT',
      message:
        `Conflict: memory 'release-cadence' was updated since version '${version}'. ` +
        `{"conflict": true, "key": "release-cadence", "attempted_version": "${version}", ` +
        `"current_version": "${current}", "current_value": "newer \\u201ctext\\u201d"}`,
    })
    expect(await at.text('recall', KEY)).toBe('newer “text”')
    expect(await at.text('remember', { ...KEY, value: 'mine', version: current })).toContain('Updated')
    expect(await at.text('remember', { ...KEY, value: 'last write wins' })).toContain('Updated')
  })

  test('ignores a version if there is no memory', async () => {
    await using at = await openKeys()
    expect(await at.text('remember', { ...KEY, value: VALUE, version: 'whatever' })).toContain('Stored')
  })

  test('counts bytes, not characters, and takes a value of just the limit', async () => {
    const settings = { 'keys.max_value_bytes': 12, 'store.synchronous': 'normal' }
    await using at = await openKeys({ settings })
    expect(await at.text('remember', { ...KEY, value: '漢字漢字' })).toContain('Stored')
    for (const tool of ['remember', 'remember_if_absent'])
      await expect(at.text(tool, { ...KEY, value: '漢字漢字!' })).rejects.toThrow(
        'Value exceeds maximum size of 12 bytes (13 bytes provided)',
      )
    expect(await at.text('recall', KEY)).toBe('漢字漢字')
  })

  test('every key has a separate value', async () => {
    await using at = await openKeys()
    const keys = [
      'index',
      '_index',
      'release/smoke-tests',
      'a:b',
      ' a',
      "it's",
      '漢字',
      'A',
      'a',
      '%2F',
      '__proto__',
    ]
    for (const key of keys) await at.text('remember', { key, value: `value of ${key}` })
    for (const key of keys) expect(await at.text('recall', { key })).toBe(`value of ${key}`)
  })

  test('takes half a character for one that cannot be read, in keys and values', async () => {
    await using at = await openKeys()
    await at.text('remember', { key: 'a\ud800', value: 'b\udc00', tags: ['c\ud800'] })
    expect(await at.text('recall', { key: 'a\ud800' })).toBe('b\ufffd')
    expect(await at.text('recall', { key: 'a\ufffd' })).toBe('b\ufffd')
    expect((await at.json('list_memories', { tag: 'c\ud800' })).count).toBe(1)
    expect(await at.text('remember', { key: 'a\ud800', value: 'b\udc00', tags: ['c\ud800'] })).toContain(
      'unchanged',
    )
  })

  test('is refused without a key', async () => {
    await using at = await openKeys()
    await expect(at.text('remember', { key: '', value: 'x' })).rejects.toThrow('key must not be empty')
    await expect(at.text('remember', { key: 'x' })).rejects.toThrow('value is required')
  })
})

describe('remember_if_absent', () => {
  test('stores once', async () => {
    await using at = await openKeys()
    const args = { ...KEY, value: VALUE, tags: ['a'] }
    expect(await at.text('remember_if_absent', args)).toBe("Stored memory 'release-cadence'.")
    expect(await at.text('remember_if_absent', { ...KEY, value: 'other' })).toBe(
      "Memory 'release-cadence' already exists — not overwritten.",
    )
    expect(await at.text('recall', KEY)).toBe(VALUE)
    expect(await at.memory.snapshots()).toHaveLength(1)
  })

  test('stores again after the first was forgotten', async () => {
    await using at = await openKeys()
    await at.text('remember_if_absent', { ...KEY, value: VALUE })
    await at.text('forget', KEY)
    expect(await at.text('remember_if_absent', { ...KEY, value: 'other' })).toContain('Stored')
    expect(await at.text('recall', KEY)).toBe('other')
  })
})

test('ping answers', async () => {
  await using at = await openKeys()
  expect(await at.text('ping')).toBe('ok')
})

test('a key that looks like a secret is refused: redacted, it could equal another key', async () => {
  await using at = await openKeys()
  const [secret] = SECRETS
  const key = `token ${secret?.text}`
  await expect(at.call('remember', { key, value: 'v' })).rejects.toThrow('looks like a secret')
  await expect(at.call('recall', { key })).rejects.toThrow('No memory found')
  await at.call('remember', { key: 'a', value: 'v', tags: [secret?.text] })
  expect(await at.text('forget_all', { tag: secret?.text })).toContain('Deleted 0 memories')
  expect(await at.text('recall', { key: 'a' })).toBe('v')
})
