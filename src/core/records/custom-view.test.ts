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
])('%j can be used', (views) => {
  expect(problemOfViews(views)).toBeUndefined()
})

test.each([
  [[1], 'number 1 is an object with name, description, filter'],
  [[{ filter: {} }], 'number 1 has a name'],
  [[{ name: 'A b' }], '"A b" has as name a name of up to 64 small letters'],
  [[{ name: 'a' }, { name: 'a' }], '"a" has a name of its own'],
  [[{ name: 'a', filters: {} }], '"a" has no "filters"; there are name, description, filter'],
  [[{ name: 'a', filter: [] }], '"a" has as filter an object with type, tags'],
  [[{ name: 'a', filter: { typ: 'core' } }], '"a" has no "filter.typ"; there are type, tags'],
  [[{ name: 'a', filter: { type: 'note' } }], 'has as filter.type one of core, learning, task'],
  [[{ name: 'a', filter: { tags: 'x' } }], 'has as filter.tags a list of texts'],
  [[{ name: 'a', filter: { since: 'soon' } }], 'has as filter.since a date such as'],
  [[{ name: 'a', filter: { archived: 'no' } }], 'has as filter.archived true, false or "only"'],
  [[{ name: 'a', sort_by: 'content' }], 'has as sort_by one of created_at'],
  [[{ name: 'a', limit: 1001 }], 'has as limit a whole number from 1 to 1000'],
])('%j cannot: it is told what is wrong', (views, problem) => {
  expect(problemOfViews(views)).toContain(`a list of views, of which `)
  expect(problemOfViews(views)).toContain(problem)
})
