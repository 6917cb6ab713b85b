import { describe, expect, test } from 'vitest'
import { idOf, openWorkspace, outlineOf, textOf } from '../support/engine.ts'

const FILES = { 'a.md': '# A\n\nText.\n', 'b.md': '# B\n\nOther.\n' }

describe('expectedVersion', () => {
  test('of a reading lets a write through that builds on it', async () => {
    await using at = await openWorkspace(FILES)
    const anchor = await idOf(at.memory, 'Text.')
    const { snapshotId } = await at.memory.fetch({ anchor })
    expect(snapshotId).toBe(1)
    await at.memory.write({ anchor, payload: 'Text, improved.', expectedVersion: snapshotId })
    expect(await textOf(at.memory, anchor)).toBe('Text, improved.')
    expect((await at.memory.fetchBatch({ ids: [anchor] })).snapshotId).toBe(2)
  })

  test('refuses a write on a node that changed since, and changes nothing', async () => {
    await using at = await openWorkspace(FILES)
    const anchor = await idOf(at.memory, 'Text.')
    await at.memory.write({ anchor, payload: 'Somebody else.' })
    const before = await outlineOf(at.memory)
    const late = at.memory.write({ anchor, payload: 'Mine.', expectedVersion: 1 })
    await expect(late).rejects.toMatchObject({
      code: 'CONFLICT',
      message: `node ${anchor} changed in snapshot 2, after snapshot 1 that you expect; refetch the node and retry`,
    })
    expect(await outlineOf(at.memory)).toEqual(before)
    expect(await at.memory.snapshots()).toHaveLength(2)
  })

  test('does not mind what else changed', async () => {
    await using at = await openWorkspace(FILES)
    const anchor = await idOf(at.memory, 'Text.')
    await at.memory.write({ anchor: await idOf(at.memory, 'Other.'), payload: 'Changed.' })
    const { snapshot } = await at.memory.write({ anchor, payload: 'Mine.', expectedVersion: 1 })
    expect(snapshot?.id).toBe(3)
  })

  test('is about the parent where a note goes under it', async () => {
    await using at = await openWorkspace(FILES)
    const parent = await idOf(at.memory, 'A')
    await at.memory.write({ parent, payload: 'First.', expectedVersion: 1 })
    // A child more is no change of the parent.
    await at.memory.write({ parent, payload: 'Second.', expectedVersion: 1 })
    await at.memory.write({ anchor: parent, payload: '# Another name' })
    await expect(at.memory.write({ parent, payload: 'Third.', expectedVersion: 1 })).rejects.toMatchObject({
      code: 'CONFLICT',
    })
  })

  test('finds out that a node is gone', async () => {
    await using at = await openWorkspace(FILES)
    const anchor = await idOf(at.memory, 'Text.')
    await at.memory.forget({ id: anchor })
    const writes = [
      () => at.memory.write({ anchor, payload: 'Mine.', expectedVersion: 1 }),
      () => at.memory.summarize({ id: anchor, summary: 'Mine.', expectedVersion: 1 }),
    ]
    for (const write of writes)
      await expect(write()).rejects.toMatchObject({
        code: 'CONFLICT',
        message: expect.stringContaining('in snapshot 2'),
      })
  })

  test('holds for summaries too', async () => {
    await using at = await openWorkspace(FILES)
    const id = await idOf(at.memory, 'Text.')
    await at.memory.summarize({ id, summary: 'Short.', expectedVersion: 1 })
    await expect(at.memory.summarize({ id, summary: 'Shorter.', expectedVersion: 1 })).rejects.toMatchObject({
      code: 'CONFLICT',
    })
  })

  test.each([
    [{ anchor: false, expectedVersion: 1 }, 'expected_version needs a node to replace or to write under'],
    [{ anchor: true, expectedVersion: 9 }, 'snapshot 9 is ahead of HEAD 1'],
    [{ anchor: true, expectedVersion: -1 }, 'expected_version must be the number of a snapshot, got -1'],
    [{ anchor: true, expectedVersion: 0.5 }, 'expected_version must be the number of a snapshot, got 0.5'],
  ])('refuses %j', async ({ anchor, expectedVersion }, message) => {
    await using at = await openWorkspace(FILES)
    const place = anchor ? { anchor: await idOf(at.memory, 'Text.') } : {}
    await expect(at.memory.write({ payload: 'x', ...place, expectedVersion })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining(message),
    })
  })
})
