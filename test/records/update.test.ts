import { describe, expect, test } from 'vitest'
import { expectSound } from '../support/engine.ts'
import { contentsOf, openRecords, type RecordWorkspace } from '../support/records.ts'

const update = async (at: RecordWorkspace, id: string, changes: object) =>
  at.memory.records.update({ id, ...changes })

describe('update', () => {
  test('changes what is given, and tells what is really different', async () => {
    await using at = await openRecords()
    const { id } = await at.store('old', { category: 'fact', tags: ['a'] })
    at.pass(60_000)
    const answer = await update(at, id, { content: 'new', category: 'fact', tags: ['b'], importance: 'high' })
    expect(Object.keys(answer)).toEqual(['memory', 'updated_fields'])
    expect(answer.updated_fields).toEqual(['content', 'tags', 'importance'])
    expect(answer.memory).toMatchObject({
      content: 'new',
      category: 'fact',
      tags: ['b'],
      importance: 'high',
      created_at: '2026-01-01T10:00:00Z',
      updated_at: '2026-01-01T10:01:00Z',
    })
    expect((await at.memory.search({ query: 'new' })).hits).toHaveLength(1)
    expect((await at.memory.search({ query: 'old' })).hits).toHaveLength(0)
    await expectSound(at.memory)
  })

  test('is an access, also when nothing is different; then nothing else is written', async () => {
    await using at = await openRecords()
    const { id } = await at.store('x')
    at.pass(60_000)
    const { memory, updated_fields } = await update(at, id, { content: 'x' })
    expect(updated_fields).toEqual([])
    expect(memory).toMatchObject({
      access_count: 1,
      accessed_at: '2026-01-01T10:01:00Z',
      updated_at: '2026-01-01T10:00:00Z',
    })
    expect(await at.memory.snapshots()).toHaveLength(1)
  })

  test('takes away with an empty category, no tags', async () => {
    await using at = await openRecords()
    const { id } = await at.store('x', { category: 'fact', tags: ['a'] })
    const { memory, updated_fields } = await update(at, id, { category: '', tags: [] })
    expect(updated_fields).toEqual(['category', 'tags'])
    expect(memory).not.toHaveProperty('category')
    expect((await at.memory.records.query({ tags: ['a'] })).total).toBe(0)
  })

  test('archives, and brings back', async () => {
    await using at = await openRecords()
    const { id } = await at.store('x')
    expect((await update(at, id, { archived: true })).memory.archived).toBe(true)
    expect((await at.memory.records.query()).total).toBe(0)
    expect((await update(at, id, { archived: false })).updated_fields).toEqual(['archived'])
    expect((await at.memory.records.query()).total).toBe(1)
  })

  test('of what is not there is not found', async () => {
    await using at = await openRecords()
    const id = '00000000-0000-4000-8000-000000000000'
    await expect(update(at, id, { content: 'x' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test('is undone by a rollback: text, tags, everything', async () => {
    await using at = await openRecords()
    const before = await at.store('old', { tags: ['a'], category: 'fact' })
    await update(at, before.id, { content: 'new', tags: ['b'], category: '', importance: 'high' })
    await at.memory.rollback({ snapshotId: 1 })
    const { memories } = await at.memory.records.query({ tags: ['a'] })
    expect(memories).toMatchObject([{ content: 'old', tags: ['a'], category: 'fact', importance: 'medium' }])
    expect((await at.memory.search({ query: 'old' })).hits).toHaveLength(1)
    await expectSound(at.memory)
  })

  test('of one record by many at once loses nothing', async () => {
    await using at = await openRecords()
    const { id } = await at.store('x')
    await Promise.all([
      update(at, id, { content: 'y' }),
      update(at, id, { tags: ['a'] }),
      update(at, id, { importance: 'high' }),
      update(at, id, { category: 'fact' }),
    ])
    const { memories } = await at.memory.records.query()
    expect(memories).toMatchObject([
      { content: 'y', tags: ['a'], importance: 'high', category: 'fact', access_count: 4 },
    ])
  })
})

describe('delete', () => {
  test('archives: the record is put away, and still memory', async () => {
    await using at = await openRecords()
    const { id } = await at.store('Never on a Friday.')
    expect(await at.memory.records.delete({ id })).toEqual({ success: true, action: 'archived', id })
    expect((await at.memory.records.query()).total).toBe(0)
    expect(contentsOf(await at.memory.records.query({ archived: true }))).toEqual(['Never on a Friday.'])
    expect((await at.memory.search({ query: 'friday' })).hits).toHaveLength(1)
    // Archived already: nothing is written.
    await at.memory.records.delete({ id })
    expect(await at.memory.snapshots()).toHaveLength(2)
  })

  test('permanent: it is gone, its history is not, and a rollback has it again', async () => {
    await using at = await openRecords()
    const { id } = await at.store('Never on a Friday.', { tags: ['ops'] })
    expect(await at.memory.records.delete({ id, permanent: true })).toMatchObject({ action: 'deleted' })
    expect((await at.memory.records.query({ archived: true })).total).toBe(0)
    expect((await at.memory.records.query({ tags: ['ops'] })).total).toBe(0)
    expect((await at.memory.search({ query: 'friday' })).hits).toHaveLength(0)
    const { records } = at.memory
    for (const call of [
      () => records.delete({ id }),
      () => records.delete({ id, permanent: true }),
      () => records.update({ id, content: 'x' }),
      () => records.store({ type: 'core', content: 'x', id }),
    ])
      await expect(call()).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expectSound(at.memory)
    await at.memory.rollback({ snapshotId: 1 })
    expect(contentsOf(await at.memory.records.query({ tags: ['ops'] }))).toEqual(['Never on a Friday.'])
    await expectSound(at.memory)
  })

  test('an erased record is gone for good', async () => {
    await using at = await openRecords()
    const { id } = await at.store('Never on a Friday.')
    await at.memory.erase({ kind: 'record', id })
    expect((await at.memory.records.query({ archived: true })).total).toBe(0)
    await expect(at.memory.records.update({ id, content: 'x' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})
