import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { openKeys } from '../../../../test/support/keys.ts'

const tokens = (text: string): number => Math.ceil([...text].length / 4)

async function openFilled() {
  const at = await openKeys()
  await at.text('remember', { key: 'short', value: 'deploy with the script' })
  await at.text('remember', { key: 'long', value: `deploy deploy script ${'and more words '.repeat(60)}` })
  await at.text('remember', { key: 'other', value: 'who may deploy: everybody' })
  return at
}

describe('pack_context', () => {
  test('packs whole memories under a header that says how much they are', async () => {
    await using at = await openFilled()
    const text = await at.text('pack_context', { topic: "deploy's script" })
    expect(text).toMatch(/^## Context for "deploy's script" \(3 memories, ~\d+ tokens\)\n\n- \*\*/)
    for (const key of ['short', 'long', 'other']) expect(text).toContain(`- **${key}**: `)
  })

  test('skips memories that are too large and continues with the next', async () => {
    await using at = await openFilled()
    const text = await at.text('pack_context', { topic: 'deploy script', budget_tokens: 60 })
    expect(text).toContain('(2 memories, ')
    expect(text).not.toContain('**long**')
    expect(tokens(text)).toBeLessThanOrEqual(60)
  })

  test('orders by relevance, or by recency', async () => {
    await using at = await openFilled()
    at.pass(86_400_000)
    await at.text('recall', { key: 'other' })
    const first = async (ordering: string) =>
      /\*\*(\w+)\*\*/.exec(await at.text('pack_context', { topic: 'deploy script', ordering }))?.[1]
    expect(await first('recency')).toBe('other')
    expect(await first('relevance')).not.toBe('other')
    expect(await at.text('pack_context', { topic: 'deploy script', ordering: 'nonsense' })).toBe(
      await at.text('pack_context', { topic: 'deploy script' }),
    )
  })

  test('shortens its text as the budget shrinks', async () => {
    await using at = await openKeys()
    const pack = (budget_tokens: number) => at.text('pack_context', { topic: 't', budget_tokens })
    const header = "## Context for 't' (0 memories, ~0 tokens)"
    const whole = `${header}\n\n_No relevant memories fit within the token budget._`
    expect(await pack(2000)).toBe(whole)
    expect(await pack(tokens(whole))).toBe(whole)
    expect(await pack(tokens(whole) - 1)).toBe(header)
    expect(await pack(tokens(header) - 1)).toBe('_no context_')
    expect(await pack(3)).toBe('_no context_')
    expect(await pack(2)).toBe('')
    expect(await pack(-7)).toBe('')
  })

  test('never costs more than the budget', async () => {
    await using at = await openKeys()
    const value = fc.string({ unit: 'grapheme', maxLength: 400 })
    await fc.assert(
      fc.asyncProperty(
        fc.array(value, { minLength: 1, maxLength: 4 }),
        fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }),
        fc.integer({ min: 1, max: 300 }),
        async (values, topic, budget) => {
          for (const [key, text] of values.entries())
            await at.memory.keys.remember({ key: `k${key}`, value: `${topic} ${text}` })
          const packed = await at.text('pack_context', { topic, budget_tokens: budget })
          expect(tokens(packed)).toBeLessThanOrEqual(budget)
        },
      ),
      { numRuns: 40 },
    )
  })
})
