import { describe, expect, test } from 'vitest'
import { idsOf, openTools } from '../../../../test/support/agent-memory.ts'

const FILES = { 'a.md': '# A\n\nText.\n', 'b.md': '# B\n' }

describe('MemoryRelate', () => {
  test('links two nodes by id, or by a heading', async () => {
    await using at = await openTools(FILES)
    const { A, B } = await idsOf(at.memory)
    const resolved = {
      text: `edge created (resolved): ${A} -> ${B}`,
      structured: { status: 'resolved', source_id: A, target_id: B, target_label: null },
    }
    expect(await at.call('MemoryRelate', { source_id: A, target_id: B, weight: 2.5 })).toEqual(resolved)
    expect(await at.text('MemoryRelated', { id: A })).toContain('weight=2.50')
    expect(await at.call('MemoryRelate', { source_id: A, target_label: 'B', target_source: 'b.md' })).toEqual(
      resolved,
    )
    expect(await at.memory.snapshots()).toHaveLength(1)
  })

  test('takes a weight of 0 for none given', async () => {
    await using at = await openTools(FILES)
    const { A, B } = await idsOf(at.memory)
    await at.call('MemoryRelate', { source_id: A, target_id: B, weight: 0 })
    expect(await at.text('MemoryRelated', { id: A })).toContain('weight=1.00')
  })

  test('waits for a heading that does not exist yet', async () => {
    await using at = await openTools(FILES)
    const { A } = await idsOf(at.memory)
    expect(await at.call('MemoryRelate', { source_id: A, target_label: 'To come' })).toEqual({
      text: `edge created (pending): ${A} -> "To come"`,
      structured: { status: 'pending', source_id: A, target_id: null, target_label: 'To come' },
    })
    await at.call('MemoryWrite', { payload: '# To come' })
    expect(await at.text('MemoryRelated', { id: A })).toContain('[heading] To come')
  })

  test('refuses unknown and unusable targets', async () => {
    await using at = await openTools(FILES)
    const { A } = await idsOf(at.memory)
    const refused = (args: unknown, message: string) =>
      expect(at.call('MemoryRelate', args)).rejects.toThrow(message)
    await refused({ target_id: A }, 'source_id is required')
    await refused(
      { source_id: 'nobody', target_id: A },
      'source_id not found: nobody; MemoryTree and MemorySearch show ids',
    )
    await refused({ source_id: A }, 'target_id or target_label is required')
    await refused({ source_id: A, target_id: 'nobody' }, 'target_id not found: nobody')
    await refused({ source_id: A, target_id: A, weight: 'much' }, 'weight must be a number, got "much"')
  })
})
