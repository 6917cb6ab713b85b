import { describe, expect, test } from 'vitest'
import { expectSound, openIn } from '../support/engine.ts'
import { contentsOf, DAY_MS, openRecords, type RecordWorkspace, START } from '../support/records.ts'

async function archivedOf(at: RecordWorkspace): Promise<string[]> {
  const { memories } = await at.memory.records.query({ archived: true, limit: 100, sort_by: 'created_at' })
  return memories.filter(({ archived }) => archived).map(({ content }) => content)
}

/** Without an access, as `archivedOf` is one. */
async function inUse(at: RecordWorkspace): Promise<number> {
  return (await at.memory.records.stats()).total_memories
}

describe('by age', () => {
  test('a learning is archived after 90 days without access', async () => {
    await using at = await openRecords()
    // Doctor has the real clock.
    at.setTime('2020-01-01')
    await at.store('never asked for', { type: 'learning' })
    await at.store('asked for', { type: 'learning' })
    await at.store('core', { type: 'core' })
    await at.store('task', { type: 'task' })
    at.pass(DAY_MS)
    await at.memory.records.query({ search: 'asked for', type: 'learning', sort_by: 'created_at', limit: 1 })
    at.pass(89 * DAY_MS - 1)
    await at.memory.tick()
    expect(await inUse(at)).toBe(4)
    at.pass(1)
    await at.memory.tick()
    expect(await inUse(at)).toBe(3)
    expect(await at.memory.snapshots({ limit: 1 })).toMatchObject([
      { operation: 'record', author: 'archival', message: 'archive: 1 learnings, 0 tasks' },
    ])
    at.pass(400 * DAY_MS)
    await at.memory.tick()
    expect((await archivedOf(at)).sort()).toEqual(['asked for', 'never asked for'])
    await expectSound(at.memory)
  })

  test('a task is archived 30 days after its completion, not before it is completed', async () => {
    await using at = await openRecords()
    const done = await at.store('done', { type: 'task' })
    await at.store('open', { type: 'task' })
    at.pass(10 * DAY_MS)
    await at.memory.records.update({ id: done.id, task_metadata: { status: 'completed' } })
    at.pass(30 * DAY_MS - 1)
    // Asking for it makes no difference.
    await at.memory.records.query({ search: 'done' })
    await at.memory.tick()
    expect(await inUse(at)).toBe(2)
    at.pass(1)
    await at.memory.tick()
    at.pass(400 * DAY_MS)
    await at.memory.tick()
    expect(await archivedOf(at)).toEqual(['done'])
  })

  test('everything that is due goes in one snapshot; a tick without anything due has none', async () => {
    await using at = await openRecords()
    for (const n of [1, 2, 3]) await at.store(`l${n}`, { type: 'learning' })
    await at.store('t', { type: 'task', category: 'completed' })
    at.pass(91 * DAY_MS)
    await at.memory.tick()
    await at.memory.tick()
    expect(await at.memory.snapshots()).toHaveLength(5)
    expect((await at.memory.snapshots())[0]?.message).toBe('archive: 3 learnings, 1 tasks')
    expect((await at.memory.records.stats()).archived_count).toBe(4)
  })

  test('days are settings, and so is whether anything is archived', async () => {
    const settings = { 'records.archive_learnings_days': 2, 'records.archive_tasks_days': 1 }
    await using at = await openRecords({ settings: { ...settings, 'records.archival': false } })
    await at.store('l', { type: 'learning' })
    await at.store('t', { type: 'task', category: 'completed' })
    at.pass(1.5 * DAY_MS)
    await at.memory.tick()
    expect(await inUse(at)).toBe(2)
    await at.reopen({ settings })
    await at.memory.tick()
    expect(await archivedOf(at)).toEqual(['t'])
  })
})

describe('what was archived can be brought back', () => {
  async function archivedTask(settings = {}): Promise<{ at: RecordWorkspace; id: string }> {
    const at = await openRecords({ settings })
    const { id } = await at.store('t', { type: 'task', category: 'completed' })
    at.pass(31 * DAY_MS)
    await at.memory.tick()
    expect(await inUse(at)).toBe(0)
    return { at, id }
  }

  test.each(['update', 'rollback'])('by %s: it stays for another 30 days', async (how) => {
    const { at, id } = await archivedTask()
    await using _ = at
    at.pass(DAY_MS)
    if (how === 'update') await at.memory.records.update({ id, archived: false })
    else await at.memory.rollback({ snapshotId: 1 })
    await at.memory.tick()
    at.pass(29 * DAY_MS)
    await at.memory.records.update({ id, importance: 'high' })
    await at.memory.tick()
    expect(await inUse(at)).toBe(1)
    at.pass(2 * DAY_MS)
    await at.memory.tick()
    expect(await inUse(at)).toBe(0)
  })

  test('a limit takes another one first', async () => {
    const { at, id } = await archivedTask({ 'records.max_tasks': 1 })
    await using _ = at
    await at.memory.records.update({ id, archived: false })
    await at.store('newer', { type: 'task', category: 'completed' })
    await at.memory.tick()
    expect(await archivedOf(at)).toEqual(['newer'])
  })

  test('learnings too, by a rollback', async () => {
    await using at = await openRecords({ settings: { 'records.max_learnings': 1 } })
    await at.store('old', { type: 'learning' })
    at.pass(1000)
    await at.store('new', { type: 'learning' })
    await at.memory.tick()
    expect(await archivedOf(at)).toEqual(['old'])
    await at.memory.rollback({ snapshotId: 2 })
    await at.memory.tick()
    expect(await archivedOf(at)).toEqual(['new'])
  })
})

describe('by limits', () => {
  test('too many learnings: those not accessed for longest are archived', async () => {
    await using at = await openRecords({ settings: { 'records.max_learnings': 2 } })
    for (const content of ['a', 'b', 'c', 'd']) {
      await at.store(content, { type: 'learning' })
      at.pass(1000)
    }
    await at.memory.records.query({ search: 'a' })
    await at.memory.tick()
    expect(contentsOf(await at.memory.records.query({ sort_by: 'created_at', sort_order: 'asc' }))).toEqual([
      'a',
      'd',
    ])
  })

  test('too many bytes: as many as it takes', async () => {
    await using at = await openRecords({ settings: { 'records.max_learnings_size': 10 } })
    for (const content of ['aaaa', 'éé', 'cccc', 'd']) {
      await at.store(content, { type: 'learning' })
      at.pass(1000)
    }
    await at.memory.tick()
    expect((await archivedOf(at)).sort()).toEqual(['aaaa'])
  })

  test('too many tasks: those completed first, and never one that is not completed', async () => {
    await using at = await openRecords({ settings: { 'records.max_tasks': 1 } })
    for (const content of ['open', 'blocked']) await at.store(content, { type: 'task' })
    for (const completed_at of ['2025-12-30', '2025-12-29'])
      await at.store(completed_at, { type: 'task', task_metadata: { status: 'completed', completed_at } })
    await at.memory.tick()
    expect((await archivedOf(at)).sort()).toEqual(['2025-12-29', '2025-12-30'])
    expect(await inUse(at)).toBe(2)
  })

  test('too many core memories are refused, with what to do; archiving one makes room', async () => {
    await using at = await openRecords({ settings: { 'records.max_core': 2 } })
    const { id } = await at.store('a')
    await at.store('b')
    const full = {
      code: 'LIMIT_EXCEEDED',
      message: expect.stringMatching(/delete_memory.*records\.max_core/),
    }
    await expect(at.store('c')).rejects.toMatchObject(full)
    const learning = await at.store('l', { type: 'learning' })
    await expect(
      at.memory.records.store({ type: 'core', content: 'l', id: learning.id }),
    ).rejects.toMatchObject(full)
    // What is there can be changed.
    await at.memory.records.update({ id, content: 'aa' })
    await at.memory.records.delete({ id })
    await at.store('c')
    await expect(at.memory.records.update({ id, archived: false })).rejects.toMatchObject(full)
    at.pass(1000 * DAY_MS)
    await at.memory.tick()
    expect((await at.view('core')).count).toBe(2)
  })

  test('too many bytes of core memories are refused, also when one grows', async () => {
    await using at = await openRecords({ settings: { 'records.max_core_size': 10 } })
    const { id } = await at.store('ééééé')
    const full = { code: 'LIMIT_EXCEEDED', message: expect.stringContaining('records.max_core_size') }
    await expect(at.store('b')).rejects.toMatchObject(full)
    await expect(at.memory.records.update({ id, content: 'éééééé' })).rejects.toMatchObject(full)
    await at.memory.records.update({ id, content: 'éééé' })
    await at.store('bb')
  })

  test('many at once do not get past the limit', async () => {
    await using at = await openRecords({ settings: { 'records.max_core': 3 } })
    const tries = await Promise.allSettled(Array.from({ length: 8 }, (_, n) => at.store(`m${n}`)))
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
  })
})

describe('who ticks', () => {
  test('archives, and tells how many', async () => {
    await using at = await openRecords()
    await at.store('l', { type: 'learning' })
    at.pass(91 * DAY_MS)
    const told = Promise.withResolvers<object>()
    at.memory.startTicker({ onArchived: told.resolve, onError: told.reject })
    expect(await told.promise).toEqual({ learnings: 1, tasks: 0 })
  })

  test('is one process: the others archive nothing', async () => {
    await using at = await openRecords()
    const told = Promise.withResolvers<void>()
    const setTimer = () => {
      told.resolve()
      return () => undefined
    }
    at.memory.startTicker({ setTimer })
    await told.promise
    await at.store('l', { type: 'learning' })
    const later = START + 91 * DAY_MS
    // Its clock is ahead, but for the lease.
    let now = START
    await using other = await openIn(at.folder, { now: () => now })
    await other.records.store({ type: 'learning', content: 'x' })
    expect((await other.tick()).hours).toBeNull()
    now = later
    expect(await inUse(at)).toBe(2)
    expect((await other.tick()).hours).not.toBeNull()
    expect(await inUse(at)).toBe(0)
  })
})
