import { expect, test } from 'vitest'
import { RESOURCE_ENTRIES, TEMPLATE_ENTRIES } from '../../../test/support/listed.ts'
import { RESOURCES } from './list.ts'

test('the static resources are these, in this order', () => {
  expect(RESOURCE_ENTRIES.map(({ uri }) => uri)).toEqual([
    'remindb://overview',
    'remindb://files',
    'remindb://tree',
    'remindb://graph',
    'remindb://snapshots',
    'remindb://temperature',
    'remindb://doctor',
    'remindb://logs',
    'remindb://sessions',
    'remindb://sessions/history',
    'remindb://sessions/logs',
    'remindb://rescan',
    'remindb://audit',
    'memory://recent',
    'memory://core',
    'memory://learnings',
    'memory://tasks/active',
    'memory://tasks/completed',
    'memory://_index',
  ])
})

test('the templates are these, the locked ones first', () => {
  expect(TEMPLATE_ENTRIES.map(({ uriTemplate }) => uriTemplate)).toEqual([
    'remindb://tree/{rootId}{?depth}',
    'remindb://snapshots{?limit}',
    'remindb://snapshots/{id}/diffs',
    'remindb://sessions/history/{hash}',
    'remindb://sessions/logs/{id}',
    'remindb://tree{?depth,cursor,limit}',
    'remindb://tree/{rootId}{?depth,cursor,limit}',
    'remindb://graph{?cursor,limit}',
    'remindb://snapshots{?cursor,limit}',
    'remindb://log{?cursor,author,operation,path}',
    'remindb://snapshots/{id}/diffs{?cursor,limit}',
    'remindb://temperature{?cursor,limit}',
    'remindb://search{?q,limit}',
    'remindb://at/{moment}/tree{?root,depth,cursor,limit}',
    'remindb://at/{moment}/node/{id}',
    'remindb://changes/{from}/{to}{?cursor,limit}',
    'remindb://audit{?cursor,limit}',
    'memory://recent{?limit,since,tags}',
    'memory://core{?limit,since,tags}',
    'memory://learnings{?limit,since,tags}',
    'memory://tasks/active{?limit,since,tags}',
    'memory://tasks/completed{?limit,since,tags}',
    'memory://custom/{view}{?limit,since,tags}',
    'memory://{key}',
    'memory://_key/{key}',
  ])
})

test('every entry has its own name, a title and a description of its content', () => {
  for (const entry of [...RESOURCE_ENTRIES, ...TEMPLATE_ENTRIES]) {
    const isKey = /_index|\{key\}/.test('uri' in entry ? entry.uri : entry.uriTemplate)
    expect(entry).toMatchObject({ mimeType: isKey ? 'text/plain' : 'application/json' })
    for (const text of [entry.name, entry.title, entry.description]) expect(text).toMatch(/\S/)
  }
  expect(new Set(RESOURCES.map(({ name }) => name)).size).toBe(RESOURCES.length)
})

test('a locked view has the name that it is registered by', () => {
  expect(RESOURCE_ENTRIES.find(({ uri }) => uri === 'memory://recent')).toMatchObject({
    name: 'Recent Memories',
    description: 'The 20 most recently accessed memories across all types',
    mimeType: 'application/json',
  })
})
