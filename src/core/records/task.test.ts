import { describe, expect, test } from 'vitest'
import { changedAttributes, changedFields } from './change.ts'
import { checkRecord, type RecordInput } from './check.ts'
import { type RecordAttributes, type RecordJson, type RecordType, toRecordJson } from './model.ts'

const T0 = '2026-01-01T10:00:00Z'
const T1 = '2026-01-01T10:01:00Z'

const NOW = Date.parse(T0)
const room = { count: null, bytes: null }
const limits = { maxContent: 10, maxTags: 10, room: { core: room, learning: room, task: room } }

function changed(
  before: RecordAttributes | undefined,
  input: RecordInput,
  now: number,
  type: RecordType = 'task',
) {
  const { content: _, ...changes } = checkRecord({ redact: (text) => text, limits: () => limits }, input)
  return changedAttributes(before, { ...changes, type }, now)
}

/** The public form. */
function shownOf(attributes: RecordAttributes): RecordJson {
  return toRecordJson({
    ...{ id: 1, address: { kind: 'record', id: 'x' }, owner: '', state: 'live', digest: null, revision: 1 },
    ...{ attributes, text: 'x', createdAt: NOW, updatedAt: NOW, accessedAt: null, accesses: 0 },
  })
}

describe('a new task', () => {
  test.each([
    ['nothing', {}, undefined, { status: 'in-progress' }],
    ['a category', { category: 'backend' }, 'backend', { status: 'in-progress' }],
    ['a category that is a status', { category: 'blocked' }, 'blocked', { status: 'blocked' }],
    [
      'completed by its category',
      { category: 'completed' },
      'completed',
      { status: 'completed', completed_at: T0 },
    ],
    [
      'a status',
      { task_metadata: { status: 'completed', outcome: 'Success - tested' } },
      'completed',
      { status: 'completed', completed_at: T0, outcome: 'Success - tested' },
    ],
    [
      'a status and another category',
      { category: 'backend', task_metadata: { status: 'blocked', blockers: ['review', 'tests'] } },
      'backend',
      { status: 'blocked', blockers: ['review', 'tests'] },
    ],
    [
      'when it was completed',
      { task_metadata: { status: 'completed', completed_at: '2025-12-20T16:30:00+01:00' } },
      'completed',
      { status: 'completed', completed_at: '2025-12-20T15:30:00Z' },
    ],
  ])('with %s', (_what, others, category, metadata) => {
    const memory = shownOf(changed(undefined, others as RecordInput, NOW))
    expect(memory.category).toBe(category)
    expect(JSON.stringify(memory.task_metadata)).toBe(JSON.stringify(metadata))
  })

  test.each([
    [
      'category and status disagree',
      { category: 'blocked', task_metadata: { status: 'completed' } },
      'disagree',
    ],
    ['completed_at without completion', { task_metadata: { completed_at: T0 } }, 'only for completed tasks'],
    ['blockers without being blocked', { task_metadata: { blockers: ['x'] } }, 'only for blocked tasks'],
    [
      'an invalid time',
      { task_metadata: { status: 'completed', completed_at: '30 Feb' } },
      'completed_at must be',
    ],
    [
      'an invalid day',
      { task_metadata: { status: 'completed', completed_at: '2026-02-30' } },
      'completed_at must be',
    ],
    ['another status', { task_metadata: { status: 'done' } }, 'status must be one of'],
    ['a long outcome', { task_metadata: { outcome: 'x'.repeat(1001) } }, 'outcome must have at most 1000'],
    ['a long blocker', { task_metadata: { status: 'blocked', blockers: ['x'.repeat(501)] } }, 'blockers[0]'],
  ])('is rejected: %s', (_what, others, message) => {
    expect(() => changed(undefined, others as RecordInput, NOW)).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT', message: expect.stringContaining(message) }),
    )
  })
})

describe('a task that changes', () => {
  test.each([
    [
      'completed by its status',
      { category: 'in-progress' },
      { task_metadata: { status: 'completed' } },
      'completed',
      { status: 'completed', completed_at: T1 },
      ['category', 'task_metadata'],
    ],
    [
      'completed by its category',
      { category: 'in-progress' },
      { category: 'completed' },
      'completed',
      { status: 'completed', completed_at: T1 },
      ['category', 'task_metadata'],
    ],
    [
      'restarted',
      { category: 'completed', task_metadata: { outcome: 'Done' } },
      { task_metadata: { status: 'in-progress' } },
      'in-progress',
      { status: 'in-progress', outcome: 'Done' },
      ['category', 'task_metadata'],
    ],
    [
      'with another category',
      { category: 'backend' },
      { task_metadata: { status: 'blocked', blockers: ['review'] } },
      'backend',
      { status: 'blocked', blockers: ['review'] },
      ['task_metadata'],
    ],
    [
      'no longer blocked',
      { category: 'blocked', task_metadata: { blockers: ['review'] } },
      { category: 'in-progress' },
      'in-progress',
      { status: 'in-progress' },
      ['category', 'task_metadata'],
    ],
    [
      'still completed: the time stays',
      { category: 'completed' },
      { task_metadata: { status: 'completed', outcome: 'Done' } },
      'completed',
      { status: 'completed', completed_at: T0, outcome: 'Done' },
      ['task_metadata'],
    ],
    [
      'its outcome removed',
      { task_metadata: { status: 'completed', outcome: 'Done' } },
      { task_metadata: { outcome: '' } },
      'completed',
      { status: 'completed', completed_at: T0 },
      ['task_metadata'],
    ],
    [
      'without its category: the status stays',
      { category: 'blocked' },
      { category: '' },
      undefined,
      { status: 'blocked' },
      ['category'],
    ],
  ])('%s', (_what, first, changes, category, metadata, fields) => {
    const before = changed(undefined, first as RecordInput, NOW)
    const after = changed(before, changes as RecordInput, NOW + 60_000)
    const memory = shownOf(after)
    expect(memory.category).toBe(category)
    expect(JSON.stringify(memory.task_metadata)).toBe(JSON.stringify(metadata))
    const sides = [before, after].map((attributes) => ({ content: 'x', attributes }))
    expect(changedFields(...(sides as Parameters<typeof changedFields>))).toEqual(fields)
  })

  test('to another type loses its task metadata', () => {
    const before = changed(undefined, { category: 'completed' }, NOW)
    expect(changed(before, {}, NOW, 'learning')).toEqual({
      ...{ type: 'learning', category: 'completed', tags: [], importance: 'medium', archived: false },
    })
  })
})
