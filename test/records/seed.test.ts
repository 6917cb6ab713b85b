import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { ViewEnvelope, ViewName } from '../../src/core/records/views.ts'
import { openRecords, type RecordWorkspace } from '../support/records.ts'

/** What the contract shows of each resource. */
const EXAMPLES = JSON.parse(readFileSync(new URL('seed-examples.json', import.meta.url), 'utf8')) as Record<
  string,
  ViewEnvelope
>

/** The records that the examples show, at the times that they have. */
async function fill(at: RecordWorkspace): Promise<void> {
  at.setTime('2025-12-15T10:00:00Z')
  const task = await at.store('...', { type: 'task', category: 'in-progress', tags: ['tag1', 'tag2'] })
  at.setTime('2025-12-20T15:30:00Z')
  const task_metadata = { status: 'completed', outcome: 'Success - Feature implemented and tested' } as const
  await at.memory.records.update({ id: task.id, task_metadata })
  at.setTime('2026-01-01T10:00:00Z')
  const tags = ['tag1', 'tag2']
  await at.store('...', { type: 'core', category: 'preference', tags, importance: 'high' })
  await at.store('...', { type: 'learning', category: 'insight', tags, importance: 'low' })
  const blocked = { status: 'blocked' as const, blockers: ['reason1', 'reason2'] }
  await at.store('...', { type: 'task', tags, task_metadata: blocked })
  for (let n = 0; n < 5; n++) await at.memory.records.query()
}

/** Keys in their order, without those of maps whose keys are somebody's words. */
function keysOf(value: unknown, at = '$'): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => keysOf(item, `${at}[]`))
  if (typeof value !== 'object' || value === null || at.endsWith('by_category')) return [at]
  return [at, ...Object.entries(value).flatMap(([name, inner]) => keysOf(inner, `${at}.${name}`))]
}

const unique = (keys: string[]): string[] => [...new Set(keys)]

test.each(Object.keys(EXAMPLES))('%s is the object that the contract shows', async (uri) => {
  await using at = await openRecords()
  await fill(at)
  const view = await at.view(uri.slice('memory://'.length) as ViewName)
  expect(view.count).toBeGreaterThan(0)
  const example = EXAMPLES[uri] as ViewEnvelope
  const isTasks = uri.startsWith('memory://tasks')
  // A task shows what is so of it: no single one has all that the contract's example of active ones lists.
  const known = unique(keysOf(example)).concat(
    isTasks || uri === 'memory://recent'
      ? ['', '.status', '.completed_at', '.blockers', '.blockers[]', '.outcome'].map(
          (part) => `$.memories[].task_metadata${part}`,
        )
      : [],
  )
  expect(unique(keysOf(view)).filter((key) => !known.includes(key))).toEqual([])
  const plain = (keys: string[]) => unique(keys).filter((key) => !key.includes('task_metadata'))
  expect(plain(keysOf(view))).toEqual(plain(keysOf(example)))
  expect(view.generated_at).toBe(example.generated_at)
  if (example.date_range) expect(view.date_range).toEqual(example.date_range)
})

test('a completed task is the one of the contract', async () => {
  await using at = await openRecords()
  await fill(at)
  const [example] = EXAMPLES['memory://tasks/completed']?.memories ?? []
  const [memory] = (await at.view('tasks/completed')).memories
  expect(JSON.stringify(memory)).toBe(
    JSON.stringify({ ...example, id: memory?.id, access_count: 6, importance: 'medium' }),
  )
})
