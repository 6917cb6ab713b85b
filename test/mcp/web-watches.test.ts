import type { Client } from '@modelcontextprotocol/client'
import { describe, expect, test } from 'vitest'
import { ERAS, type Revision } from '../support/mcp.ts'
import { soon } from '../support/soon.ts'
import { connectWeb, openWeb } from '../support/web.ts'

const [A, B] = ['memory://a', 'memory://_key/recent'] as const

async function subscribe(client: Client, revision: Revision, uris: string[]): Promise<string[]> {
  const heard: string[] = []
  client.setNotificationHandler(
    'notifications/resources/updated',
    ({ params }) => void heard.push(params.uri),
  )
  if (revision === '2026-07-28') await client.listen({ resourceSubscriptions: uris })
  else for (const uri of uris) await client.subscribeResource({ uri })
  return heard
}

/** Keys are what the map says; any write makes the server look. */
async function openKeys() {
  const stamps = new Map<string, string>([A, B].map((uri) => [uri, '1']))
  const audience = {
    stampOf: async (uri: string) => stamps.get(uri),
    hasView: (view: string) => view === 'mine',
  }
  return { stamps, web: await openWeb({ audience }) }
}

describe.each(ERAS)('a client of %s', (revision) => {
  test('hears of the key that changed, and of no other', async () => {
    const { stamps, web } = await openKeys()
    const { client, call } = await connectWeb(web, revision)
    await call('MemoryStats')
    const heard = await subscribe(client, revision, [A, B])
    stamps.set(A, '2')
    await call('MemoryWrite', { payload: 'One.' })
    await soon(() => heard).toEqual([A])
    stamps.set(B, '2')
    await call('MemoryWrite', { payload: 'Two.' })
    await soon(() => heard).toEqual([A, B])
  })

  test('leaves nothing when it is gone', async () => {
    const { web } = await openKeys()
    const { client, transport } = await connectWeb(web, revision)
    const uris = Array.from({ length: 300 }, (_, at) => `memory://${at}`)
    await subscribe(client, revision, uris)
    await soon(() => web.audience.watches.size()).toBe(300)
    if (revision === '2025-11-25') await transport.terminateSession()
    await client.close()
    await soon(() => web.audience.watches.size()).toBe(0)
  })
})

test('a session that unsubscribes holds nothing', async () => {
  const { web } = await openKeys()
  const { client } = await connectWeb(web, '2025-11-25')
  await subscribe(client, '2025-11-25', [A])
  await client.unsubscribeResource({ uri: A })
  expect(web.audience.watches.size()).toBe(0)
})

test('views that are not there, and what is no name, cannot be subscribed to', async () => {
  const { web } = await openKeys()
  const { client } = await connectWeb(web, '2026-07-28')
  const { honoredFilter } = await client.listen({
    resourceSubscriptions: [A, 'memory://custom/mine', 'memory://custom/other', 'memory://a/b', 'memory://%'],
  })
  expect(honoredFilter).toEqual({ resourceSubscriptions: [A, 'memory://custom/mine'] })
  const { client: old } = await connectWeb(web, '2025-11-25')
  await expect(old.subscribeResource({ uri: 'memory://custom/other' })).rejects.toThrow(
    'resource "memory://custom/other" is not subscribable',
  )
})
