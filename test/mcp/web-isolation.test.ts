import { describe, expect, test } from 'vitest'
import { ERAS, textOf, writtenId } from '../support/mcp.ts'
import { connectWeb, openWeb } from '../support/web.ts'

const CALLS = 200

describe('no answer reaches another client', () => {
  test('however many ask at once, over whichever connection, in either era', async () => {
    const web = await openWeb()
    const clients = await Promise.all(
      ['ada', 'bob', 'cyd', 'dan'].map(async (name, index) => {
        const revision = ERAS[index % 2] as (typeof ERAS)[number]
        // Two of them share an address, as behind a proxy. Each counts its requests from 0.
        const connected = await connectWeb(web, revision, { name, address: `127.0.0.${Math.max(1, index)}` })
        return { name, ...connected }
      }),
    )
    const ids = new Map<string, string>()
    for (const { name, client } of clients) {
      const written = await client.callTool({
        name: 'MemoryWrite',
        arguments: { payload: `Only ${name} asks for this.` },
      })
      ids.set(name, writtenId(textOf(written)))
    }
    const asks = Array.from({ length: CALLS }, (_, index) =>
      clients.map(async ({ name, call, read }) => {
        if (index % 3 === 0) {
          const answer = await call('MemoryFetch', { id: ids.get(name) })
          return [name, answer.includes(`Only ${name} asks`)]
        }
        if (index % 3 === 1) {
          // What is not there is named in the answer.
          const missing = `${name}-${index}`
          return [name, (await call('MemoryFetch', { id: missing })).includes(missing)]
        }
        const uri = `remindb://tree/${name}-${index}`
        const said = await read(uri).catch((error: Error) => error.message)
        return [name, String(said).includes(`${name}-${index}`)]
      }),
    )
    const answers = await Promise.all(asks.flat())
    expect(answers).toHaveLength(CALLS * clients.length)
    expect(answers.filter(([, isMine]) => !isMine)).toEqual([])
    const calls = web.registry
      .list()
      .map(({ client_meta, count_tool_calls }) => [client_meta.name, count_tool_calls])
    const toolCalls = 1 + Array.from({ length: CALLS }, (_, i) => i).filter((i) => i % 3 < 2).length
    expect(calls.sort()).toEqual(clients.map(({ name }) => [name, toolCalls]))
    expect(new Set(web.authors)).toEqual(new Set(clients.map(({ name }) => `${name}/1.2.3`)))
  })

  test('nor does what another client subscribed to', async () => {
    const web = await openWeb()
    const heard = new Map<string, string[]>()
    const uris = ['remindb://tree', 'remindb://snapshots', 'remindb://graph', 'remindb://files']
    const clients = await Promise.all(
      uris.map(async (uri, index) => {
        const revision = ERAS[index % 2] as (typeof ERAS)[number]
        const { client } = await connectWeb(web, revision)
        client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
          heard.set(uri, [...(heard.get(uri) ?? []), params.uri])
        })
        if (revision === '2026-07-28') await client.listen({ resourceSubscriptions: [uri] })
        else await client.subscribeResource({ uri })
        return client
      }),
    )
    await expect.poll(() => web.counts().streams).toBe(clients.length)
    for (let round = 0; round < 50; round++) {
      for (const uri of uris) web.audience.updated(uri)
      // What is told while the last time is not out yet is told once.
      await new Promise(setImmediate)
    }
    await expect.poll(() => uris.map((uri) => heard.get(uri)?.length)).toEqual([50, 50, 50, 50])
    for (const uri of uris) expect(new Set(heard.get(uri))).toEqual(new Set([uri]))
  })
})
