import { expect, test } from 'vitest'
import { problemOfViews } from './custom-view.ts'

test.each([
  [[]],
  [[{ name: 'all' }]],
  [
    [
      {
        name: 'python-work',
        description: 'What goes on',
        filter: {
          ...{ type: 'task', tags: ['python'], search: 'x', importance: 'high', category: 'backend' },
          ...{ status: 'blocked', archived: 'only', since: '30d' },
        },
        sort_by: 'updated_at',
        sort_order: 'asc',
        limit: 1000,
      },
      { name: 'b', filter: { since: '2026-01-31', archived: true } },
    ],
  ],
])('the views %j are valid', (views) => {
  expect(problemOfViews(views)).toBeUndefined()
})

test.each([
  [[1], '[0] must be an object, got 1; for example {"name": "python-work", '],
  [[{ filter: {} }], '[0] has no name; give it one, such as "name": "python-work"'],
  [[{ name: 'A b' }], '[0] ("A b"): name must be 1 to 64 lowercase letters, digits, "-" and "_"'],
  [[{ name: 5 }], '[0]: name must be 1 to 64 lowercase letters'],
  [[{ name: 'a' }, { name: 'a' }], '[1] ("a"): an earlier view has the same name; choose another'],
  [[{ name: 'a', filters: {} }], '[0] ("a"): unknown field "filters"; use name, description, filter'],
  [[{ name: 'a', filter: [] }], '[0] ("a"): filter must be an object with type, tags'],
  [[{ name: 'a', filter: { typ: 'core' } }], '[0] ("a"): unknown field "filter.typ"; use type, tags'],
  [[{ name: 'a', filter: { type: 'note' } }], 'filter.type must be one of core, learning, task, got "note"'],
  [[{ name: 'a', filter: { tags: 'x' } }], 'filter.tags must be a list of strings'],
  [[{ name: 'a', filter: { since: 'soon' } }], 'filter.since must be a date such as'],
  [[{ name: 'a', filter: { archived: 'no' } }], 'filter.archived must be true, false or "only", got "no"'],
  [[{ name: 'a', sort_by: 'content' }], 'sort_by must be one of created_at'],
  [[{ name: 'a', limit: 1001 }], 'limit must be a whole number from 1 to 1000, got 1001'],
])('the views %j are invalid: the message says which, why and what to do', (views, problem) => {
  expect(problemOfViews(views)).toContain(problem)
})

test('a message about a view quotes a short part of it, on one line', () => {
  const [long, odd] = ['x'.repeat(10_000), 'a\n\u001b[31m']
  for (const name of [long, odd]) {
    const problem = problemOfViews([{ name }]) ?? ''
    expect(problem.length).toBeLessThan(400)
    expect(problem).not.toMatch(/\p{Cc}/u)
  }
})
