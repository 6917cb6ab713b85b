import fc from 'fast-check'
import { expect, test } from 'vitest'
import { wordsOf } from '../../src/core/find/query/words.ts'
import type { RecordInput } from '../../src/core/records/check.ts'
import type { RecordJson } from '../../src/core/records/model.ts'
import type { QueryRecordsInput } from '../../src/core/records/query.ts'
import { expectSound } from '../support/engine.ts'
import { openRecords, type RecordWorkspace } from '../support/records.ts'

/** What a record is, kept as simply as possible. */
interface Model {
  id: string
  type: string
  content: string
  category: string | undefined
  tags: string[]
  importance: string
  archived: boolean
  accesses: number
  made: number
}

const TAGS = ['a', 'b', 'ä"%\n', '🎉']
const content = fc.oneof(
  fc.string({ minLength: 1, maxLength: 60, unit: 'grapheme' }),
  fc.constantFrom(
    '# A\n\n- b\n- c [[A]]',
    '{"a":',
    "'; DROP TABLE documents; --",
    '\0',
    ' ',
    '%_',
    'İstanbul ß',
  ),
)
const said = fc.record(
  {
    content,
    // None that is a status: `task.test.ts` has those.
    category: fc.constantFrom('', 'fact', 'ä'),
    tags: fc.subarray(TAGS),
    importance: fc.constantFrom('high', 'medium', 'low'),
  },
  { requiredKeys: [] },
)
const which = fc.nat({ max: 20 })
const step = fc.oneof(
  fc.record({ do: fc.constant('store'), type: fc.constantFrom('core', 'learning'), content, said }),
  fc.record({ do: fc.constant('replace'), type: fc.constantFrom('core', 'learning'), content, said, which }),
  fc.record({ do: fc.constant('update'), said, archived: fc.option(fc.boolean()), which }),
  fc.record({ do: fc.constant('delete'), permanent: fc.boolean(), which }),
  fc.record({
    do: fc.constant('query'),
    query: fc.record(
      {
        type: fc.constantFrom('core', 'learning', 'task'),
        tags: fc.subarray(TAGS),
        category: fc.constantFrom('fact', 'ä'),
        importance: fc.constantFrom('high', 'low'),
        archived: fc.boolean(),
        search: fc.constantFrom('a', 'DROP', '%', '[[', 'ä', 'istanbul'),
        limit: fc.integer({ min: 1, max: 4 }),
        offset: fc.nat({ max: 3 }),
        sort_by: fc.constantFrom('created_at', 'importance', 'access_count'),
        sort_order: fc.constantFrom('asc', 'desc'),
      },
      { requiredKeys: [] },
    ),
  }),
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

const RANKS: Record<string, number> = { high: 3, medium: 2, low: 1 }

function found(models: readonly Model[], query: Record<string, unknown>): Model[] {
  const { type, tags = [], category, importance, archived = false, search } = query as QueryRecordsInput
  const fits = models.filter(
    (one) =>
      (archived || !one.archived) &&
      (type === undefined || one.type === type) &&
      (category === undefined || one.category === category) &&
      (importance === undefined || one.importance === importance) &&
      tags.every((tag) => one.tags.includes(tag)) &&
      (search === undefined || hasWords(one.content, search)),
  )
  const { sort_by, sort_order = 'desc' } = query as QueryRecordsInput
  const keyOf = (one: Model): number =>
    sort_by === 'importance'
      ? (RANKS[one.importance] ?? 0)
      : sort_by === 'access_count'
        ? one.accesses
        : one.made
  const sign = sort_order === 'desc' ? -1 : 1
  return fits.sort((a, b) => sign * (keyOf(a) - keyOf(b) || a.made - b.made))
}

/** All words of a search; one without any finds nothing. */
function hasWords(content: string, search: string): boolean {
  const words = new Set(wordsOf(content).map(({ word }) => word))
  const wanted = wordsOf(search)
  return wanted.length > 0 && wanted.every(({ word }) => words.has(word))
}

function apply(model: Model, { content, category, tags, importance }: Partial<RecordInput>): void {
  if (content !== undefined) model.content = content
  if (category !== undefined) model.category = category === '' ? undefined : category
  if (tags !== undefined) model.tags = [...tags]
  if (importance !== undefined) model.importance = importance
}

function shown({ id, type, content, category, tags, importance, archived, access_count }: RecordJson) {
  return { id, type, content, category, tags, importance, archived, accesses: access_count }
}
const expected = ({ made: _, ...model }: Model) => model

async function take(at: RecordWorkspace, models: Model[], given: Step): Promise<void> {
  const step = given as Record<string, unknown> & { do: string; which: number; said: RecordInput }
  const { records } = at.memory
  const one = models[step.which % Math.max(1, models.length)] as Model
  at.pass(1000)
  if (step.do === 'store') {
    const { said, type, content } = step as never as { said: RecordInput; type: 'core'; content: string }
    const { memory } = await records.store({ ...said, type, content })
    const model = { id: memory.id, type, content, category: undefined, tags: [], importance: 'medium' }
    models.push({ ...model, archived: false, accesses: 0, made: 1 + (models.at(-1)?.made ?? 0) })
    apply(models.at(-1) as Model, { ...said, content })
  } else if (step.do === 'query') await ask(at, models, step.query as QueryRecordsInput)
  else if (models.length === 0) return
  else if (step.do === 'replace') {
    const { type, content } = step as never as { type: 'core'; content: string }
    await records.store({ ...step.said, type, content, id: one.id })
    apply(one, { ...step.said, content })
    one.type = type
  } else if (step.do === 'update') {
    const archived = step.archived === null ? {} : { archived: step.archived as boolean }
    await records.update({ ...step.said, ...archived, id: one.id })
    apply(one, step.said)
    Object.assign(one, archived)
    one.accesses++
  } else {
    await records.delete({ id: one.id, permanent: step.permanent as boolean })
    if (step.permanent) models.splice(models.indexOf(one), 1)
    else one.archived = true
  }
}

async function ask(at: RecordWorkspace, models: Model[], query: QueryRecordsInput): Promise<void> {
  const sorted = { sort_by: 'created_at', ...query } as const
  const page = await at.memory.records.query(sorted)
  const { limit = 10, offset = 0 } = query
  const all = found(models, sorted)
  const wanted = all.slice(offset, offset + limit)
  expect(page.memories.map(shown)).toEqual(wanted.map(expected))
  expect(page).toMatchObject({ total: all.length, has_more: offset + wanted.length < all.length })
  for (const model of wanted) model.accesses++
}

test('whatever is stored, changed, put away and asked for: the answers are those of a simple model', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      await using at = await openRecords()
      const models: Model[] = []
      for (const one of steps) await take(at, models, one)
      await ask(at, models, { archived: true, limit: 100 })
      const { total_memories, archived_count, top_tags } = await at.memory.records.stats()
      expect(total_memories).toBe(models.filter(({ archived }) => !archived).length)
      expect(archived_count).toBe(models.filter(({ archived }) => archived).length)
      for (const { tag, count } of top_tags)
        expect(models.filter((one) => !one.archived && one.tags.includes(tag))).toHaveLength(count)
      await expectSound(at.memory)
    }),
    { numRuns: 15 },
  )
}, 180_000)
