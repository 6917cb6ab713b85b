import { expect, test } from 'vitest'
import { eventsOf, nothingWritten } from '../audit/events.ts'
import { UNRECORDED } from '../audit/operator.ts'
import { OPERATIONS } from './operations.ts'

/** Their events follow from the documents that they change. */
const DOORS = [
  ...['append-file', 'delete-files', 'replace-file'],
  ...['remember', 'forget-key', 'forget-tag', 'redact-key', 'restore-key', 'expire-keys'],
  ...['store-record', 'update-record', 'delete-record', 'archive-records'],
]

test('every operation has events, or is known to have none', () => {
  const written = { ...nothingWritten(), isChanged: true, hasSnapshot: true }
  const input = {
    input: { id: 'x', anchor: 'x', sourceId: 'x', target: 1, kind: 'note' },
    id: 'x',
    heat: {},
    isFirst: true,
  }
  const named = OPERATIONS.filter(({ name }) => eventsOf(name, input, written).length > 0)
  const names = [...named.map(({ name }) => name), ...UNRECORDED, ...DOORS]
  expect(names.toSorted()).toEqual(OPERATIONS.map(({ name }) => name).toSorted())
})
