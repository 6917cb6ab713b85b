import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from '@modelcontextprotocol/client'
import { beforeAll, describe, expect, test } from 'vitest'
import { ensureProgramIsBuilt, remindb } from '../support/cli.ts'
import { type Connected, connect, ERAS, noteFolder, type Revision, userSettings } from '../support/mcp.ts'
import { soon } from '../support/soon.ts'

beforeAll(ensureProgramIsBuilt)

const NOTES = { 'a.md': '# Deploys\n\nNever on a Friday.\n' }
/** Windows as short as they can be: tests wait for what comes, not for time. */
const QUICK = JSON.stringify({
  server: { resources: { debounce: '10ms', overrides: { logs: '10ms', temperature: '10ms' } } },
  rescan: { settle: '0' },
})

interface Heard {
  uris: string[]
  /** Resolves once this was heard of, and `isSo`: what was under way before may be heard of too. */
  until(uri: string, isSo?: () => Promise<boolean>): Promise<void>
}

/** Subscribes as clients of its era do. */
async function subscribe(client: Client, revision: Revision, uris: string[]): Promise<Heard> {
  const heard: string[] = []
  let news = Promise.withResolvers<void>()
  client.setNotificationHandler('notifications/resources/updated', ({ params: { uri } }) => {
    heard.push(uri)
    news.resolve()
    news = Promise.withResolvers()
  })
  if (revision === '2026-07-28') await client.listen({ resourceSubscriptions: uris })
  else for (const uri of uris) await client.subscribeResource({ uri })
  return {
    uris: heard,
    async until(uri, isSo = async () => true) {
      for (;;) {
        const next = news.promise
        if (heard.includes(uri) && (await isSo())) return
        await next
      }
    },
  }
}

describe.each(ERAS)('a client of %s', (revision) => {
  async function open(args: string[] = []): Promise<Connected & { folder: string }> {
    const folder = noteFolder({ ...NOTES, '.remindb/config.json': QUICK })
    const connected = await connect({ args: ['--source', folder, ...args], revision })
    // The first look is over: what is heard from now on is news.
    await connected.call('MemoryStats')
    return { ...connected, folder }
  }

  test('hears of what its own calls change', async () => {
    const { client, call } = await open()
    const heard = await subscribe(client, revision, [
      'remindb://tree',
      'remindb://snapshots',
      'remindb://graph',
    ])
    await call('MemoryWrite', { payload: 'News.' })
    await Promise.all(['tree', 'snapshots', 'graph'].map((name) => heard.until(`remindb://${name}`)))
    expect(heard.uris).not.toContain('remindb://files')
  })

  test('hears of what another process changes', async () => {
    const { client, folder, read } = await open()
    const heard = await subscribe(client, revision, ['remindb://snapshots'])
    remindb(['write', 'From elsewhere.'], { cwd: folder })
    await heard.until('remindb://snapshots')
    const { snapshots } = (await read('remindb://snapshots')) as { snapshots: { message: string }[] }
    expect(snapshots[0]?.message).toMatch(/^write:/)
  })

  test('hears of a file that changed, and reads it', async () => {
    const { client, folder, call, read } = await open(['--rescan-interval', '1s'])
    const heard = await subscribe(client, revision, ['remindb://rescan', 'remindb://files'])
    writeFileSync(join(folder, 'b.md'), '# Pager\n\nIt rings.\n')
    const isRead = async () => (await call('MemorySearch', { query: 'rings' })).includes('It rings.')
    await Promise.all([heard.until('remindb://rescan', isRead), heard.until('remindb://files', isRead)])
    expect(await read('remindb://rescan')).toMatchObject({ interval_s: 1, last_meta: { error: '' } })
  })

  test('hears of the log without feeding it', async () => {
    const { client, call, read } = await open(['--verbose'])
    const heard = await subscribe(client, revision, ['remindb://logs'])
    await call('MemoryStats')
    await heard.until('remindb://logs')
    const before = (await read('remindb://logs')) as { records: object[] }
    const after = (await read('remindb://logs')) as { records: object[] }
    expect(after.records).toEqual(before.records)
    expect(JSON.stringify(after)).toContain('mcp call')
  })

  test('the log never has what somebody wrote or asked', async () => {
    const { call, read, stderr } = await open(['--verbose'])
    await call('MemoryWrite', { payload: 'zanzibar' })
    await call('MemorySearch', { query: 'zanzibar' })
    await call('MemoryFetch', { id: 'zanzibar' })
    await call('MemoryGuess zanzibar').catch(() => '')
    const { records } = (await read('remindb://logs')) as { records: object[] }
    expect(JSON.stringify(records)).toContain('query_bytes')
    expect(JSON.stringify(records) + stderr()).not.toContain('zanzibar')
  })
})

describe('what cannot be subscribed to', () => {
  test('is refused where a session asks', async () => {
    const { client } = await connect({ args: ['--source', noteFolder(NOTES)] })
    await expect(client.subscribeResource({ uri: 'remindb://overview' })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('resource "remindb://overview" is not subscribable'),
    })
    await expect(client.subscribeResource({ uri: 'remindb://tree/abc' })).rejects.toThrow('not subscribable')
  })

  test('is left out of what the new era is promised', async () => {
    const { client } = await connect({ args: ['--source', noteFolder(NOTES)], revision: '2026-07-28' })
    const { honoredFilter } = await client.listen({
      resourceSubscriptions: ['remindb://overview', 'remindb://tree', 'memory://x/y', 'memory://_key/core'],
    })
    expect(honoredFilter).toEqual({
      resourceSubscriptions: ['remindb://tree', 'memory://_key/core'],
    })
  })

  test('after unsubscribing nothing is heard', async () => {
    const folder = noteFolder({ ...NOTES, '.remindb/config.json': QUICK })
    const { client, call } = await connect({ args: ['--source', folder] })
    await call('MemoryStats')
    const heard = await subscribe(client, '2025-11-25', ['remindb://tree', 'remindb://snapshots'])
    await client.unsubscribeResource({ uri: 'remindb://tree' })
    // What the first compile changed may have been heard before.
    const before = heard.uris.length
    await call('MemoryWrite', { payload: 'News.' })
    await soon(() => heard.uris.slice(before)).toContain('remindb://snapshots')
    expect(heard.uris.slice(before)).not.toContain('remindb://tree')
  })
})

describe('settings that are edited while it serves', () => {
  /** At once, as editors do: a server that looks meanwhile must not find half of it. */
  const edit = (folder: string, text: string) => {
    const file = join(folder, '.remindb/config.json')
    writeFileSync(`${file}.new`, text)
    renameSync(`${file}.new`, file)
  }

  test('count at once; an edit that cannot be used is told with what is wrong, and the last good ones stay', async () => {
    const folder = noteFolder({ ...NOTES, '.remindb/config.json': '{}' })
    const { read } = await connect({ args: ['--source', folder] })
    const threshold = async () =>
      ((await read('remindb://temperature')) as { summary: { cold_threshold: number } }).summary
        .cold_threshold
    expect(await threshold()).toBe(0.1)
    edit(folder, '{"temperature":{"cold_threshold":0.2}}')
    expect(await threshold()).toBe(0.2)
    edit(folder, '{"temperature":{"cold_threshold":7}}')
    expect(await threshold()).toBe(0.2)
    const { records } = (await read('remindb://logs')) as { records: { level: string }[] }
    expect(records.filter(({ level }) => level === 'WARN')).toMatchObject([
      {
        msg: 'invalid config; keeping last-good settings',
        attrs: { err: expect.stringContaining('temperature.cold_threshold must be a number from 0 to 1') },
      },
    ])
  })
})

describe('cold nodes', () => {
  const cold = (tick_interval = '50ms') => ({
    temperature: { tick_interval, decay_rate: 1000, notify_threshold: 0.45, cold_notify_ttl: '0' },
    server: { resources: { overrides: { temperature: '10ms' } } },
  })

  test('a session of the old era is told of each once', async () => {
    const { client } = await connect({ args: ['--source', noteFolder(NOTES)], env: userSettings(cold()) })
    const notice = new Promise<Record<string, unknown>>((resolve) =>
      client.setNotificationHandler('notifications/message', ({ params }) => resolve(params)),
    )
    expect(await notice).toEqual({
      level: 'warning',
      logger: 'remindb.temperature',
      data: {
        message: 'Cold nodes detected; consider summarizing via MemorySummarize',
        suggested_action: 'MemorySummarize',
        nodes: expect.arrayContaining([
          { id: expect.any(String), label: 'Deploys', file: 'a.md', temperature: expect.any(Number) },
        ]),
      },
    })
  })

  test('every process on the memory tells its own client', async () => {
    const folder = noteFolder(NOTES)
    const env = userSettings(cold('400ms'))
    const noticed = async (): Promise<unknown> => {
      const { client, call } = await connect({ args: ['--source', folder], env })
      const notice = new Promise((resolve) =>
        client.setNotificationHandler('notifications/message', ({ params }) => resolve(params.data)),
      )
      await call('MemoryStats')
      return { notice }
    }
    const [one, other] = (await Promise.all([noticed(), noticed()])) as { notice: Promise<unknown> }[]
    remindb(['write', 'Soon cold.'], { cwd: folder })
    expect(await one?.notice).toMatchObject({ suggested_action: 'MemorySummarize' })
    expect(await other?.notice).toMatchObject({ suggested_action: 'MemorySummarize' })
  })

  test('a client of the new era finds them in the heatmap', async () => {
    const { client, call, read } = await connect({
      ...{ args: ['--source', noteFolder(NOTES)], revision: '2026-07-28' },
      env: userSettings(cold()),
    })
    const heard = await subscribe(client, '2026-07-28', ['remindb://temperature'])
    await call('MemoryStats')
    const isCold = async () => {
      const { summary } = (await read('remindb://temperature')) as { summary: { cold: number } }
      return summary.cold > 0
    }
    await heard.until('remindb://temperature', isCold)
  })
})
