import { describe, expect, test } from 'vitest'
import { openTools } from '../../../../test/support/agent-memory.ts'
import { expectSound, outlineOf } from '../../../../test/support/engine.ts'

/** Three notes, a snapshot each. */
async function openNotes() {
  const at = await openTools()
  for (const payload of ['One.', 'Two.', 'Three.']) await at.memory.write({ payload })
  return at
}

describe('MemoryRollback', () => {
  test('restores a snapshot, as a new one', async () => {
    await using at = await openNotes()
    expect(await at.call('MemoryRollback', { snapshot_id: 1 })).toEqual({
      text: 'rolled back to snapshot 1 (new snapshot 4, 2 nodes affected)',
      structured: { status: 'rolled-back', target: 1, affected: 2, pruned: 0, snapshot_id: 4 },
    })
    expect(await outlineOf(at.memory)).toEqual(['One.'])
    await expectSound(at.memory)
  })

  test('erases later snapshots permanently with drop_after', async () => {
    await using at = await openNotes()
    expect(await at.text('MemoryRollback', { snapshot_id: 1, drop_after: true })).toBe(
      'rolled back to snapshot 1 (new snapshot 4, 2 nodes affected); pruned 2 intermediate snapshots',
    )
    expect((await at.memory.snapshots()).map(({ id }) => id)).toEqual([4, 1])
    await expect(at.call('MemoryRollback', { snapshot_id: 2 })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: 'failed to restore: snapshot 2 not found; MemoryDelta and MemoryHistory show snapshots',
    })
  })

  test('does nothing if nothing differs', async () => {
    await using at = await openNotes()
    expect(await at.call('MemoryRollback', { snapshot_id: 3 })).toEqual({
      text: 'already at snapshot 3; nothing to do',
      structured: { status: 'at-target', target: 3, affected: 0, pruned: 0, snapshot_id: null },
    })
    await at.call('MemoryRollback', { snapshot_id: 2 })
    expect(await at.text('MemoryRollback', { snapshot_id: 2 })).toBe(
      'no rollback applied; computed state matches HEAD for snapshot 2',
    )
  })

  test.each([
    [{ snapshot_id: 9 }, 'snapshot 9 is ahead of HEAD 3'],
    [{ snapshot_id: 0 }, 'invalid snapshot_id 0: expected positive integer'],
    [{ snapshot_id: 'two' }, 'invalid snapshot_id "two": expected positive integer'],
    [{ snapshot_id: 2, drop_after: 'yes' }, 'drop_after must be true or false, got "yes"'],
  ])('refuses %j', async (args, message) => {
    await using at = await openNotes()
    await expect(at.call('MemoryRollback', args)).rejects.toThrow(message)
  })
})
