import { expect, test } from 'vitest'
import { CHANGE_KINDS } from '../../core/change-feed.ts'
import { concernedBy, findSubscribable, SUBSCRIBABLE, uriOf } from './subscribable.ts'

test('seven resources can be subscribed to, by their static URI only', () => {
  expect(SUBSCRIBABLE.map(uriOf)).toEqual([
    'remindb://graph',
    'remindb://snapshots',
    'remindb://tree',
    'remindb://files',
    'remindb://rescan',
    'remindb://temperature',
    'remindb://logs',
  ])
  for (const name of SUBSCRIBABLE) expect(findSubscribable(uriOf(name))).toBe(name)
  for (const uri of [
    'remindb://overview',
    'remindb://doctor',
    'remindb://sessions',
    'remindb://sessions/history',
    'remindb://sessions/logs',
    'remindb://tree/aB3',
    'remindb://snapshots?limit=1',
    'graph',
    'remindb://constructor',
    '',
  ])
    expect(findSubscribable(uri)).toBeUndefined()
})

const CONTENT = ['graph', 'snapshots', 'tree']

test.each([
  ['write', CONTENT],
  ['summarize', CONTENT],
  ['forget', CONTENT],
  ['rollback', CONTENT],
  ['erase', CONTENT],
  ['compile', [...CONTENT, 'files']],
  ['import', [...CONTENT, 'files']],
  ['relate', ['graph']],
  ['rescan', ['rescan', 'files', 'tree', 'snapshots']],
  ['tick', ['temperature']],
  ['cold', []],
  ['update', []],
  ['of a newer remindb', ['graph', 'snapshots', 'tree', 'files', 'rescan', 'temperature']],
  ['constructor', ['graph', 'snapshots', 'tree', 'files', 'rescan', 'temperature']],
])('%s concerns %j', (kind, names) => {
  expect(concernedBy([kind])).toEqual(new Set(names))
})

test('several kinds concern each resource once', () => {
  expect(concernedBy(new Set(['compile', 'rescan', 'update']))).toEqual(
    new Set([...CONTENT, 'files', 'rescan']),
  )
  expect(concernedBy(CHANGE_KINDS)).not.toContain('logs')
})
