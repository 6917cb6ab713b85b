import { describe, expect, test } from 'vitest'
import { openTools } from '../../../../test/support/agent-memory.ts'
import { heatOf } from '../../../../test/support/engine.ts'

async function openNote() {
  const at = await openTools()
  const { id } = await at.memory.write({ payload: 'A note.' })
  return { at, id }
}

describe('MemoryPin and MemoryUnpin', () => {
  test('keep a node at its heat, and release it', async () => {
    const { at, id } = await openNote()
    await using _ = at
    expect(await at.call('MemoryPin', { id: id, temperature: null })).toEqual({
      text: `pinned node ${id}`,
      structured: { node_id: id, pinned: true, temperature: null },
    })
    expect(heatOf(at.memory).get(id)).toMatchObject({ value: 0.5, pinned: 1 })
    expect(await at.call('MemoryPin', { id: id, temperature: 0.85 })).toEqual({
      text: `pinned node ${id} at temperature 0.85`,
      structured: { node_id: id, pinned: true, temperature: 0.85 },
    })
    expect(heatOf(at.memory).get(id)).toMatchObject({ value: 0.85, pinned: 1 })
    expect(await at.call('MemoryUnpin', { id: id })).toEqual({
      text: `unpinned node ${id}`,
      structured: { node_id: id, pinned: false },
    })
    expect(heatOf(at.memory).get(id)).toMatchObject({ value: 0.85, pinned: 0 })
    expect(await at.memory.snapshots()).toHaveLength(1)
  })

  test.each(['MemoryPin', 'MemoryUnpin'])('%s refuses an unknown id', async (name) => {
    const { at } = await openNote()
    await using _ = at
    await expect(at.call(name)).rejects.toThrow('id is required')
    await expect(at.call(name, { id: 'nobody' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: 'id not found: nobody; MemoryTree and MemorySearch show ids',
    })
  })

  test('MemoryPin refuses a heat that cannot be', async () => {
    const { at, id } = await openNote()
    await using _ = at
    await expect(at.call('MemoryPin', { id: id, temperature: 1.5 })).rejects.toThrow(
      'temperature must be in [0, 1], got 1.5',
    )
  })
})
