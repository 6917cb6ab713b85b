import { expect, test } from 'vitest'
import { servedWith } from '../../../test/support/served.ts'
import type { MemoryResource } from '../model/resource.ts'
import { RESOURCES } from './list.ts'
import { listResources } from './list-resources.ts'

const ENTRY = { uri: 'memory://custom/a', name: 'a', title: 'A', description: 'Entries called a' }

const resource = (given: Partial<MemoryResource>): MemoryResource => ({
  ...{ uri: 'memory://custom/{view}', name: 'custom', title: 'Views', description: 'Views' },
  scope: 'memories:read',
  mimeType: 'text/plain',
  read: async () => '',
  ...given,
})

test('resources from settings follow the fixed ones', () => {
  const fixed = resource({ uri: 'memory://fixed' })
  const listed = listResources(servedWith(), [resource({ entries: () => [ENTRY] }), resource({}), fixed])
  expect(listed).toEqual([
    expect.objectContaining({ uri: 'memory://fixed' }),
    { ...ENTRY, mimeType: 'text/plain' },
  ])
})

test('a client is shown no resource that it may not read', () => {
  const allowed = () => ({ access: 'removes', scopes: ['memories:read'] }) as const
  const observer = { customViews: () => [] } as never
  const uris = listResources(servedWith({ allowed, observer })).map(({ uri }) => uri)
  expect(uris).toContain('remindb://tree')
  const hidden = RESOURCES.filter(({ scope }) => scope === 'memories:admin').map(({ uri }) => uri)
  expect(hidden).toContain('remindb://logs')
  for (const uri of hidden) expect(uris).not.toContain(uri)
})
