import { describe, expect, test } from 'vitest'
import { idsOf, openTools } from '../../../../test/support/agent-memory.ts'
import { heatOf } from '../../../../test/support/engine.ts'
import { estimateTokens } from '../../../core/tokens.ts'

const FILES = {
  'billing.md': '# Billing\n\nRetries are capped at five.\n\n## Cards\n\nCards are charged at night.\n',
  'ops.md': '# Ops\n\nSee [[Billing]] first.\n',
}

describe('MemoryTree', () => {
  test('shows labels and ids, and the file when it changes', async () => {
    await using at = await openTools(FILES)
    const ids = await idsOf(at.memory)
    const { text, structured } = await at.call('MemoryTree')
    expect(text).toBe(
      [
        `[heading] Billing (id=${ids.Billing} file=billing.md temp=0.50 tok=2)`,
        `  [text] Retries are capped at five. (id=${ids['Retries are capped at five.']} temp=0.50 tok=7)`,
        `  [heading] Cards (id=${ids.Cards} temp=0.50 tok=2)`,
        `    [text] Cards are charged at night. (id=${ids['Cards are charged at night.']} temp=0.50 tok=7)`,
        `[heading] Ops (id=${ids.Ops} file=ops.md temp=0.50 tok=1)`,
        `  [text] See [[Billing]] first. (id=${ids['See [[Billing]] first.']} temp=0.50 tok=6)`,
      ].join('\n'),
    )
    expect(structured.next).toBeNull()
    expect(structured.nodes).toHaveLength(6)
  })

  test('of an empty memory is a note', async () => {
    await using at = await openTools()
    expect(await at.call('MemoryTree')).toEqual({ text: 'empty tree', structured: { nodes: [], next: null } })
  })

  test('shows five levels, and counts the rest; 0 lists documents, but below a root is the default', async () => {
    const headings = Array.from({ length: 6 }, (_, at) => `${'#'.repeat(at + 1)} H${at + 1}`)
    await using at = await openTools({ 'deep.md': `${[...headings, 'Deepest.'].join('\n\n')}\n` })
    const text = await at.text('MemoryTree')
    expect(text).toMatch(/H6 \(.*\) … 1 node below$/)
    const [, root = ''] = /H1 \(id=(\w{11})/.exec(text) ?? []
    expect(await at.text('MemoryTree', { depth: 0, root })).toMatch(/H6 \(.*\) … 1 node below$/)
    expect(await at.text('MemoryTree', { depth: 0 })).toMatch(/^\[heading\] H1 \(.*\) … 6 nodes below$/)
    expect(await at.text('MemoryTree', { depth: 1000 })).toMatch(/Deepest/)
  })

  test('comes in pages, within a budget', async () => {
    await using at = await openTools(FILES)
    const { text, structured } = await at.call('MemoryTree', { limit: 2 })
    expect(text.split('\n')).toHaveLength(3)
    expect(text.split('\n').at(-1)).toBe(`… more: after=${structured.next}`)
    expect(await at.text('MemoryTree', { after: structured.next })).toMatch(
      /^… under Billing \(id=\w+\)\n {2}\[heading\] Cards/,
    )
    expect(estimateTokens(await at.text('MemoryTree', { budget: 60 }))).toBeLessThanOrEqual(60)
  })

  test('of a missing node names a remedy', async () => {
    await using at = await openTools(FILES)
    await expect(at.call('MemoryTree', { id: 'nobody' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: 'failed to get root: node nobody not found; MemoryTree and MemorySearch show ids',
    })
  })
})

describe('MemorySearch', () => {
  test('shows the best first, with the number of nodes searched', async () => {
    await using at = await openTools(FILES)
    const ids = await idsOf(at.memory)
    const { text, structured } = await at.call('MemorySearch', { query: 'retries', limit: 1 })
    expect(text).toMatch(
      /^\[text\] Retries are capped at five\. \(id=\w{11} file=billing\.md score=\d\.\d\d temp=0\.50 tok=7\)\n {2}Billing\nsearched 6 nodes$/,
    )
    expect(structured).toMatchObject({ query: 'retries', left_out: 0 })
    expect((structured.hits as { id: string }[])[0]?.id).toBe(ids['Retries are capped at five.'])
  })

  test('past the last hit is a note', async () => {
    await using at = await openTools(FILES)
    expect(await at.text('MemorySearch', { query: 'retries', offset: 1000 })).toBe(
      'nothing after offset=1000\nsearched 6 nodes',
    )
    expect(await at.text('MemorySearch', { query: 'zebra', offset: 1000 })).toMatch(/^no results\n/)
  })

  test('finds nothing in words', async () => {
    await using at = await openTools(FILES)
    expect(await at.text('MemorySearch', { query: 'zebra' })).toBe(
      'no results\nsearched 6 nodes; nowhere: zebra',
    )
    expect(await at.text('MemorySearch', { query: '' })).not.toBe('')
    await expect(at.call('MemorySearch', { query: 'a', budget: 49 })).rejects.toThrow(
      'budget must be a whole number of tokens from 50, or 0 for no limit, got 49',
    )
    await expect(at.call('MemorySearch', { query: 'a', limit: 201 })).rejects.toThrow(
      'limit must be a whole number from 1 up to 200',
    )
  })
})

describe('MemoryFetch', () => {
  test('shows a node with the nodes above and below it, and the snapshot', async () => {
    await using at = await openTools(FILES)
    const ids = await idsOf(at.memory)
    const { text, structured } = await at.call('MemoryFetch', { id: ids.Cards })
    expect(text).toBe(`[heading] Billing (id=${ids.Billing} file=billing.md)

  [heading] Cards (id=${ids.Cards} snapshot=1 temp=0.50 tok=2)

    [text] (id=${ids['Cards are charged at night.']} temp=0.50 tok=7)
Cards are charged at night.`)
    expect(structured).toMatchObject({ anchor: ids.Cards, snapshot_id: 1, left_out: { above: 0, below: 0 } })
  })

  test('takes 0 levels for all of them, and at most 128', async () => {
    await using at = await openTools(FILES)
    const { Billing } = await idsOf(at.memory)
    const nodes = async (depth: number) =>
      ((await at.call('MemoryFetch', { id: Billing, depth })).structured.nodes as unknown[]).length
    expect([await nodes(0), await nodes(1), await nodes(9999)]).toEqual([4, 3, 4])
    expect(await at.text('MemoryFetch', { id: Billing, depth: 1 })).toMatch(
      /\n\n… 1 more below \(7 tokens\): depth=2$/,
    )
  })

  test('of a missing node names a remedy', async () => {
    await using at = await openTools(FILES)
    await expect(at.call('MemoryFetch', { id: 'nobody' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: 'failed to fetch: node nobody not found; MemoryTree and MemorySearch show ids',
    })
  })
})

describe('MemoryFetchBatch', () => {
  test('shows nodes alone, and the reason for each missing id', async () => {
    await using at = await openTools(FILES)
    const ids = await idsOf(at.memory)
    const { text, structured } = await at.call('MemoryFetchBatch', {
      ids: [ids.Ops, 'nobody', ids.Cards],
    })
    expect(text).toBe(`[heading] Ops (id=${ids.Ops} file=ops.md snapshot=1 temp=0.50 tok=1)

[heading] Cards (id=${ids.Cards} file=billing.md temp=0.50 tok=2)

not found: nobody`)
    expect(structured).toMatchObject({ not_found: ['nobody'], over_budget: [], snapshot_id: 1 })
  })

  test('takes from 1 to 256 ids', async () => {
    await using at = await openTools(FILES)
    await expect(at.call('MemoryFetchBatch', { ids: [] })).rejects.toThrow('ids must be non-empty')
    const many = Array.from({ length: 257 }, String)
    await expect(at.call('MemoryFetchBatch', { ids: many })).rejects.toThrow('ids length 257 exceeds cap 256')
  })
})

describe('MemoryRelated', () => {
  test('shows the linked nodes', async () => {
    await using at = await openTools(FILES)
    const ids = await idsOf(at.memory)
    const id = ids['See [[Billing]] first.']
    const { text, structured } = await at.call('MemoryRelated', { id })
    expect(text).toBe(
      `[heading] Billing (id=${ids.Billing} file=billing.md hop=1 weight=1.00 temp=0.50 tok=2)`,
    )
    expect(structured).toMatchObject({ anchor: id, left_out: 0, complete: true })
    expect(await at.text('MemoryRelated', { id, direction: 'in', depth: 99 })).toBe('no related nodes')
    expect(await at.text('MemoryRelated', { id, weight_min: 2 })).toBe('no related nodes')
    expect(await at.text('MemoryRelated', { id, weight_min: 2, offset: 9 })).toBe('no related nodes')
    expect(await at.text('MemoryRelated', { id, offset: 9 })).toBe('nothing after offset=9')
  })

  test('refuses an unknown node', async () => {
    await using at = await openTools(FILES)
    const { Billing } = await idsOf(at.memory)
    await expect(at.call('MemoryRelated', { id: Billing, direction: 'up' })).rejects.toThrow(
      'direction must be one of out, in, both, got "up"',
    )
    await expect(at.call('MemoryRelated', {})).rejects.toThrow('id is required')
    await expect(at.call('MemoryRelated', { id: 'nobody' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: 'node nobody not found; MemoryTree and MemorySearch show ids',
    })
  })
})

describe('heat', () => {
  const heatAfter = async (...calls: [string, unknown][]) => {
    await using at = await openTools(FILES)
    const ids = await idsOf(at.memory)
    for (const [name, args] of calls) {
      const filled = JSON.stringify(args).replace(/<(.*?)>/g, (_, label) => ids[label] ?? '')
      await at.call(name, JSON.parse(filled))
    }
    await at.reopen()
    const heat = heatOf(at.memory)
    return Object.fromEntries(
      Object.entries(ids).map(([label, id]) => [label, heat.get(id)?.value.toFixed(3)]),
    )
  }

  test('is given by tools that read, less by the outline', async () => {
    expect(await heatAfter(['MemoryFetch', { id: '<Ops>' }])).toMatchObject({
      Ops: '0.650',
      Cards: '0.500',
    })
    expect(await heatAfter(['MemoryFetchBatch', { ids: ['<Cards>'] }])).toMatchObject({
      Cards: '0.650',
      Billing: '0.500',
    })
    expect(await heatAfter(['MemoryTree', { id: '<Ops>' }])).toMatchObject({ Ops: '0.515', Cards: '0.500' })
    expect(await heatAfter(['MemorySearch', { query: 'charged' }])).toMatchObject({
      'Cards are charged at night.': '0.650',
    })
    expect(await heatAfter(['MemoryRelated', { id: '<See [[Billing]] first.>' }])).toMatchObject({
      Billing: '0.650',
      Ops: '0.500',
    })
  })

  test('is given by no other', async () => {
    const heat = await heatAfter(
      ['MemoryDelta', {}],
      ['MemoryDiff', { from_snapshot_id: 0, to_snapshot_id: 1 }],
      ['MemoryHistory', { id: '<Ops>' }],
      ['MemoryStats', {}],
      ['MemoryWrite', { payload: 'Changed.', id: '<Cards are charged at night.>' }],
      ['MemoryRelate', { source_id: '<Ops>', target_id: '<Cards>' }],
      ['MemoryPin', { id: '<Billing>' }],
    )
    expect(new Set(Object.values(heat))).toEqual(new Set(['0.500']))
  })
})
