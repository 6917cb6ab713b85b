import { expect, test } from 'vitest'
import { servedWith } from '../../test/support/served.ts'
import type { ResourceContent } from './model/resource.ts'
import type { FoundResource } from './model/uri.ts'
import { prepareRead } from './read-resource.ts'

const URI = 'memory://notes'
const NOBODY = { sessionId: '', author: '', address: '' }

function read(content: ResourceContent, mimeType?: string) {
  const resource = {
    ...{ uri: URI, name: 'notes', title: 'Notes', description: 'Notes', scope: 'memories:read' as const },
    ...(mimeType !== undefined && { mimeType }),
    read: async () => content,
  }
  const find = (): FoundResource => ({ resource, variables: {} })
  return prepareRead(servedWith(), { params: { uri: URI }, caller: NOBODY }, find).run()
}

test('a text is JSON, unless the resource or what was read says otherwise', async () => {
  expect(await read('{}')).toEqual({ contents: [{ uri: URI, mimeType: 'application/json', text: '{}' }] })
  expect(await read('a', 'text/plain')).toEqual({
    contents: [{ uri: URI, mimeType: 'text/plain', text: 'a' }],
  })
  expect(await read({ text: 'a' }, 'text/plain')).toMatchObject({ contents: [{ mimeType: 'text/plain' }] })
  expect(await read({ text: 'a', mimeType: 'text/markdown' }, 'text/plain')).toEqual({
    contents: [{ uri: URI, mimeType: 'text/markdown', text: 'a' }],
  })
})

test('bytes have the type that they say', async () => {
  expect(await read({ blob: 'AAEC', mimeType: 'image/png' }, 'text/plain')).toEqual({
    contents: [{ uri: URI, mimeType: 'image/png', blob: 'AAEC' }],
  })
})
