import { expect, test } from 'vitest'
import { CHANGE_KINDS } from '../../core/port/change-feed.ts'
import { concernedBy, findSubscribable, SUBSCRIBABLE, uriOf } from './subscribable.ts'

test('nine of our own can be subscribed to, by their static URI only', () => {
  expect(SUBSCRIBABLE.map(uriOf)).toEqual([
    'remindb://graph',
    'remindb://snapshots',
    'remindb://log',
    'remindb://tree',
    'remindb://files',
    'remindb://rescan',
    'remindb://temperature',
    'remindb://logs',
    'remindb://audit',
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

test.each([
  ['memory://recent', 'records'],
  ['memory://recent?limit=5', 'records'],
  ['memory://core', 'records'],
  ['memory://learnings?since=2025-12-01', 'records'],
  ['memory://tasks/active', 'records'],
  ['memory://tasks/completed?tags=a,b', 'records'],
  ['memory://learnings?since=7d&limit=1000', 'records'],
  ['memory://recent?limit=&since=', 'records'],
  ['memory://custom/mine', 'records'],
  ['memory://custom/mine?limit=1', 'records'],
  ['memory://_index', 'keys'],
  ['memory://any-key', 'keys'],
  ['memory://recently', 'keys'],
  ['memory://_key/recent', 'keys'],
])('%s can be subscribed to, with %s', (uri, group) => {
  expect(findSubscribable(uri, (view) => view === 'mine')).toBe(group)
})

test.each([
  'memory://custom/other',
  'memory://a/b',
  'memory://_other',
  'memory://a?limit=1',
  'memory://recent?offset=1',
  'memory://recent?limit=0',
  'memory://recent?limit=1001',
  'memory://core?since=yesterday',
  'memory://custom/mine?limit=many',
  'memory://%',
])('%s cannot', (uri) => {
  expect(findSubscribable(uri, (view) => view === 'mine')).toBeUndefined()
})

const CONTENT = ['graph', 'snapshots', 'log', 'tree', 'audit']
const MEMORY = ['records', 'keys']
const ALL = ['graph', 'snapshots', 'log', 'tree', 'files', 'rescan', 'temperature', 'audit', ...MEMORY]

test.each([
  ['write', [...CONTENT, ...MEMORY]],
  ['summarize', [...CONTENT, ...MEMORY]],
  ['forget', [...CONTENT, ...MEMORY]],
  ['rollback', [...CONTENT, ...MEMORY]],
  ['restore', [...CONTENT, ...MEMORY]],
  ['revert', [...CONTENT, ...MEMORY]],
  ['erase', [...CONTENT, ...MEMORY]],
  ['compile', [...CONTENT, 'files']],
  ['import', [...CONTENT, ...MEMORY, 'files']],
  ['record', [...CONTENT, 'records']],
  ['key', [...CONTENT, 'keys']],
  ['file', CONTENT],
  ['relate', ['graph']],
  ['checkpoint', ['log', 'audit']],
  ['rescan', ['rescan', 'files', 'tree', 'snapshots', 'log']],
  ['tick', ['temperature']],
  ['cold', []],
  ['audit', ['audit']],
  ['update', ['records']],
  ['of a newer remindb', ALL],
  ['constructor', ALL],
])('%s concerns %j', (kind, names) => {
  expect(concernedBy([kind])).toEqual(new Set(names))
})

test('several kinds concern each resource once', () => {
  expect(concernedBy(new Set(['compile', 'rescan', 'update']))).toEqual(
    new Set([...CONTENT, 'files', 'rescan', 'records']),
  )
  expect(concernedBy(CHANGE_KINDS)).not.toContain('logs')
})
