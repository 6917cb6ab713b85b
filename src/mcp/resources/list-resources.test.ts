import { expect, test } from 'vitest'
import { recordingLog } from '../../../test/support/recording-log.ts'
import type { Observer } from '../observer.ts'
import { RESOURCE_ENTRIES } from './list.ts'
import { listResources } from './list-resources.ts'
import type { Resource } from './resource.ts'
import { SCHEMES } from './scheme.ts'

const ENTRY = { uri: 'memory://custom/a', name: 'a', title: 'A', description: 'What is called a' }

const template = (entries: Resource['entries']): Resource => ({
  ...{ uri: 'memory://custom/{view}', name: 'custom', title: 'Views', description: 'Views' },
  mimeType: 'text/plain',
  read: async () => '',
  ...(entries && { entries }),
})

const served = () => ({ observer: async () => ({}) as Observer, schemes: SCHEMES, ...recordingLog() })

test('what is there at the moment follows what is always there', async () => {
  expect(await listResources(served(), [template(undefined), template(async () => [ENTRY])])).toEqual([
    ...RESOURCE_ENTRIES,
    { ...ENTRY, mimeType: 'text/plain' },
  ])
})

test('where that cannot be known, the rest is listed', async () => {
  const at = served()
  const broken = template(async () => {
    throw new Error('?')
  })
  expect(await listResources(at, [broken, template(async () => [ENTRY])])).toHaveLength(
    RESOURCE_ENTRIES.length + 1,
  )
  expect(at.records.map(({ message }) => message)).toEqual(['resources cannot be listed'])
})
