import { expect, test } from 'vitest'
import { servedWith } from '../../../test/support/served.ts'
import type { MemoryResource } from '../model/resource.ts'
import { RESOURCE_ENTRIES } from './list.ts'
import { listResources } from './list-resources.ts'

const ENTRY = { uri: 'memory://custom/a', name: 'a', title: 'A', description: 'What is called a' }

const template = (entries: MemoryResource['entries']): MemoryResource => ({
  ...{ uri: 'memory://custom/{view}', name: 'custom', title: 'Views', description: 'Views' },
  mimeType: 'text/plain',
  read: async () => '',
  ...(entries && { entries }),
})

test('what settings add follows what is always there', () => {
  expect(listResources(servedWith(), [template(undefined), template(() => [ENTRY])])).toEqual([
    ...RESOURCE_ENTRIES,
    { ...ENTRY, mimeType: 'text/plain' },
  ])
})
