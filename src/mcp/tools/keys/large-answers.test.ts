import { describe, expect, test } from 'vitest'
import { openKeys } from '../../../../test/support/keys.ts'

const MIB = 1024 * 1024
/** The maximum message that the official client reads over a pipe by default. */
const CLIENT_READS = 10 * MIB

const LARGE: [string, string][] = [
  ['letters', 'x'.repeat(5 * MIB)],
  ['characters of two bytes in JSON', '"'.repeat(2.5 * MIB)],
  ['characters of six bytes in JSON', '\u0001'.repeat(MIB)],
]

describe('recall of a large value', () => {
  test.each(LARGE)('of %s has it once, as data, and a text that refers to it', async (_, value) => {
    await using at = await openKeys()
    await at.text('remember', { key: 'a/b', value })
    const {
      text,
      briefly = '',
      structured,
      meta,
    } = await at.call('recall', { key: 'a/b', limit: CLIENT_READS })
    expect(text === value).toBe(true)
    expect(structured.result === value).toBe(true)
    expect(briefly.length).toBeLessThan(500)
    expect(briefly).toContain(`${Buffer.byteLength(value)} bytes`)
    expect(briefly).toContain('structuredContent.result')
    expect(briefly).toContain('memory://a%2Fb')
    const message = { content: [{ type: 'text', text: briefly }], structuredContent: structured, _meta: meta }
    expect(Buffer.byteLength(JSON.stringify(message))).toBeLessThan(CLIENT_READS)
  })

  test('of four mebibytes is still a text and data', async () => {
    await using at = await openKeys()
    const value = 'x'.repeat(4 * MIB - 2)
    await at.text('remember', { key: 'k', value })
    const { text, briefly, structured } = await at.call('recall', { key: 'k', limit: CLIENT_READS })
    expect(text === value).toBe(true)
    expect(briefly).toBeUndefined()
    expect(structured.result === value).toBe(true)
  })
})

test('a list that is larger is data only, too', async () => {
  await using at = await openKeys()
  for (let number = 0; number < 50; number++)
    await at.memory.keys.remember({ key: `k${number}`, value: 'x'.repeat(100_000), tags: ['t'] })
  const { briefly, structured } = await at.call('list_memories', { tag: 't', limit: 100 })
  expect(structured.count).toBe(50)
  expect(briefly).toMatch(/^The answer has \d+ bytes.*structuredContent\.$/)
  expect(JSON.parse(await at.text('list_memories', { tag: 't', limit: 10 })).count).toBe(10)
})
