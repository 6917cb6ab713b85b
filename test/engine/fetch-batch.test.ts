import { describe, expect, test } from 'vitest'
import { batchText } from '../../src/core/find/read/fetch-batch-text.ts'
import { heatOf, idsByText, openWorkspace } from '../support/engine.ts'

const LONG = 'long '.repeat(100).trim()
const FILES = { 'a.md': `# A\n\nShort.\n\n${LONG}\n`, 'b.md': 'Other.\n' }

describe('fetchBatch', () => {
  test('gives nodes alone, each once, in the order in which they are asked for', async () => {
    await using at = await openWorkspace(FILES)
    const ids = await idsByText(at.memory)
    const [a, short, other] = [ids.A, ids['Short.'], ids['Other.']] as [string, string, string]
    const answer = await at.memory.fetchBatch({ ids: [other, 'nobody', short, other, a] })
    expect(answer.nodes.map(({ text }) => text)).toEqual(['Other.', 'Short.', 'A'])
    expect(answer).toMatchObject({ notFound: ['nobody'], overBudget: [] })
    expect(Object.keys(answer.nodes[0] ?? {})).toEqual([
      'id',
      'type',
      'label',
      'path',
      'tokens',
      'temperature',
      'text',
    ])
    expect(batchText(answer)).toBe(`[text] (id=${other} file=b.md snapshot=1 temp=0.50 tok=2)
Other.

[text] (id=${short} file=a.md temp=0.50 tok=2)
Short.

[heading] A (id=${a} temp=0.50 tok=1)

not found: nobody`)
  })

  test('leaves out what has no room, takes what comes after it, and names both', async () => {
    await using at = await openWorkspace(FILES)
    const ids = await idsByText(at.memory)
    const asked = [ids[LONG], ids['Short.'], 'x'] as string[]
    const answer = await at.memory.fetchBatch({ ids: asked, budget: 60 })
    expect(answer.nodes.map(({ text }) => text)).toEqual(['Short.'])
    expect(answer).toMatchObject({ notFound: ['x'], overBudget: [ids[LONG]] })
    expect(batchText(answer)).toMatch(new RegExp(`\n\nnot found: x\n\nover budget: ${ids[LONG]}$`))
    expect((await at.memory.fetchBatch({ ids: asked, budget: 0 })).overBudget).toEqual([])
  })

  test('refuses no ids, too many, and a budget that cannot name them', async () => {
    await using at = await openWorkspace(FILES)
    const many = (count: number) => Array.from({ length: count }, (_, at) => `node-${at}`)
    const refusal = (ids: string[], budget?: number) =>
      at.memory.fetchBatch(budget === undefined ? { ids } : { ids, budget }).catch((error) => error.message)
    expect(await refusal([])).toBe('ids must be non-empty')
    expect(await refusal(many(257))).toBe('ids length 257 exceeds cap 256')
    expect(await refusal(many(256), 100)).toBe(
      'a budget for 256 ids is at least 615 tokens; raise it, or ask for fewer',
    )
    expect((await at.memory.fetchBatch({ ids: many(256), budget: 615 })).notFound).toHaveLength(256)
    expect(batchText({ nodes: [], notFound: [], overBudget: [], next: null, snapshotId: 1 })).toBe(
      'no results',
    )
  })

  test('warms what it gives', async () => {
    await using at = await openWorkspace(FILES)
    const ids = await idsByText(at.memory)
    await at.memory.fetchBatch({ ids: [ids.A, ids[LONG]] as string[], budget: 60 })
    const memory = await at.reopen()
    const warmed = [...heatOf(memory)].filter(([, { accesses }]) => accesses > 0).map(([id]) => id)
    expect(warmed).toEqual([ids.A])
  })
})
