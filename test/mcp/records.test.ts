import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { ensureProgramIsBuilt } from '../support/cli.ts'
import { type Connected, connect, ERAS, noteFolder, textOf } from '../support/mcp.ts'
import { soon } from '../support/soon.ts'

beforeAll(ensureProgramIsBuilt)

const ALL = ['--tools', 'records']

function configure(folder: string, settings: object): void {
  mkdirSync(join(folder, '.remindb'), { recursive: true })
  writeFileSync(join(folder, '.remindb', 'config.json'), JSON.stringify(settings))
}

// biome-ignore lint/suspicious/noExplicitAny: what is sent is what others parse, untyped
const failureOf = async (read: Promise<unknown>): Promise<any> =>
  read.then(
    () => undefined,
    (error) => error,
  )

/** The client makes an error of its own of what is not found in the older era, and drops the word. */
// biome-ignore lint/suspicious/noExplicitAny: as above
const wordsOf = (error: any, word: string) =>
  error.constructor.name === 'ResourceNotFoundError' ? { code: word, ...error.data } : error.data

const failed = ({ client }: Connected, name: string, args: object) =>
  client.callTool({ name, arguments: { ...args } })

describe.each(ERAS)('a client of %s', (revision) => {
  test('stores, asks, changes, deletes and counts; the text of an answer is JSON', async () => {
    const folder = noteFolder({})
    const { client, json, call, read } = await connect({ args: [...ALL, '--db', folder], revision })
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual([
      'store_memory',
      'query_memories',
      'update_memory',
      'delete_memory',
      'get_memory_stats',
    ])
    const stored = await json('store_memory', {
      type: 'task',
      content: 'Ship the *release*.',
      tags: ['python', 'testing'],
      task_metadata: { status: 'completed', outcome: 'Success' },
    })
    expect(stored).toMatchObject({ created: true, memory: { category: 'completed' } })
    const id = String(stored.id)
    const page = JSON.parse(await call('query_memories', { tags: ['python'], search: 'RELEASE' }))
    expect(page).toMatchObject({ total: 1, has_more: false, memories: [{ id, access_count: 0 }] })
    const updated = await json('update_memory', { id, importance: 'high' })
    expect(updated).toMatchObject({ updated_fields: ['importance'], memory: { access_count: 2 } })
    expect(await read('memory://tasks/completed?tags=python,testing&limit=5')).toMatchObject({ count: 1 })
    expect(await read('memory://tasks/active?tags=python,none')).toMatchObject({ count: 0 })
    expect(await json('delete_memory', { id })).toEqual({ success: true, action: 'archived', id })
    expect(await json('get_memory_stats')).toMatchObject({ total_memories: 0, archived_count: 1 })
    expect(await read('memory://recent')).toMatchObject({ memories: [], count: 0 })
  })

  test('is told in words what failed', async () => {
    const connected = await connect({ args: [...ALL, '--db', noteFolder({})], revision })
    const id = '00000000-0000-4000-8000-000000000000'
    for (const [name, args, code] of [
      ['update_memory', { id }, 'NOT_FOUND'],
      ['store_memory', { type: 'note', content: 'x' }, 'INVALID_INPUT'],
      ['query_memories', { limit: 101 }, 'INVALID_INPUT'],
      ['store_memory', { type: 'task', content: 'x', task_metadata: { blockers: ['y'] } }, 'INVALID_INPUT'],
    ] as const) {
      const answer = await failed(connected, name, args)
      expect(answer.isError, name).toBe(true)
      expect(JSON.parse(textOf(answer))).toEqual({ error: { code, message: expect.any(String) } })
    }
    const { client } = connected
    for (const [uri, code] of [
      ['memory://invalid/name', 'RESOURCE_NOT_FOUND'],
      ['memory://custom/none', 'RESOURCE_NOT_FOUND'],
      ['memory://recent?limit=0', 'INVALID_INPUT'],
      ['memory://recent?page=2', 'INVALID_INPUT'],
      ['memory://learnings?since=soon', 'INVALID_INPUT'],
    ] as const)
      expect(wordsOf(await failureOf(client.readResource({ uri })), code), uri).toEqual({ code, uri })
    const unknown = await failureOf(client.readResource({ uri: 'memory://invalid/name' }))
    expect(unknown.message).toContain('Resource URI not recognized: memory://invalid/name')
  })

  test('hears of the views that changed, and reads views of its own', async () => {
    const folder = noteFolder({})
    const view = { name: 'high-priority', filter: { importance: 'high' }, sort_by: 'created_at', limit: 2 }
    configure(folder, { records: { views: [view] } })
    const { client, call, read } = await connect({ args: [...ALL, '--db', folder], revision })
    await call('store_memory', { type: 'core', content: 'a' })
    const heard: string[] = []
    client.setNotificationHandler(
      'notifications/resources/updated',
      ({ params }) => void heard.push(params.uri),
    )
    const uris = ['memory://core', 'memory://tasks/active', 'memory://custom/high-priority']
    if (revision === '2026-07-28') await client.listen({ resourceSubscriptions: uris })
    else for (const uri of uris) await client.subscribeResource({ uri })
    await call('store_memory', { type: 'task', content: 'b', importance: 'high' })
    await soon(() => heard.toSorted()).toEqual(['memory://custom/high-priority', 'memory://tasks/active'])
    expect(await read('memory://custom/high-priority')).toMatchObject({
      count: 1,
      memories: [{ content: 'b' }],
    })
    const listed = async () => (await client.listResources()).resources.map(({ uri }) => uri)
    expect(await listed()).toContain('memory://custom/high-priority')
  })

  test('finds a view that was added while it is served after a restart, and the log says that it will', async () => {
    const folder = noteFolder({})
    configure(folder, { records: { views: [{ name: 'first' }] } })
    const listed = async ({ client }: Connected) =>
      (await client.listResources()).resources
        .map(({ uri }) => uri)
        .filter((uri) => uri.startsWith('memory://custom/'))
    const before = await connect({ args: [...ALL, '--db', folder], revision })
    expect(await listed(before)).toEqual(['memory://custom/first'])
    configure(folder, { records: { views: [{ name: 'second', filter: { archived: 'only' } }] } })
    await before.call('store_memory', { type: 'core', content: 'a' })
    await before.call('store_memory', { type: 'core', content: 'b' })
    expect(await listed(before)).toEqual(['memory://custom/first'])
    expect(await before.read('memory://custom/first')).toMatchObject({ count: 2 })
    const gone = await failureOf(before.client.readResource({ uri: 'memory://custom/second' }))
    expect(wordsOf(gone, 'RESOURCE_NOT_FOUND').code).toBe('RESOURCE_NOT_FOUND')
    const said = JSON.stringify(await before.read('remindb://logs'))
    expect(said.match(/records\.views was edited; the change applies after a restart/g)).toHaveLength(1)
    await before.close()
    const after = await connect({ args: [...ALL, '--db', folder], revision })
    expect(await listed(after)).toEqual(['memory://custom/second'])
    expect(await after.read('memory://custom/second')).toMatchObject({ count: 0 })
  })
})

test('who is asked for by a tool is told to the views that show how often, and to no others', async () => {
  const folder = noteFolder({})
  const mine = [{ name: 'mine' }, { name: 'low', filter: { importance: 'low' } }]
  configure(folder, { records: { views: mine } })
  const { client, call, read } = await connect({ args: [...ALL, '--db', folder] })
  for (const type of ['core', 'learning', 'task']) await call('store_memory', { type, content: type })
  const heard: string[] = []
  client.setNotificationHandler(
    'notifications/resources/updated',
    ({ params }) => void heard.push(params.uri),
  )
  const uris = ['tasks/active', 'learnings', 'custom/low', 'core?tags=x', 'core', 'custom/mine', 'recent']
  for (const uri of uris) await client.subscribeResource({ uri: `memory://${uri}` })
  await call('query_memories', { type: 'core' })
  const showing = ['memory://core', 'memory://custom/mine', 'memory://recent']
  await soon(() => heard).toEqual(expect.arrayContaining(showing))
  expect(new Set(heard)).toEqual(new Set(showing))
  expect(await read('memory://core')).toMatchObject({ memories: [{ access_count: 1 }] })
})

test('nothing that is read may be kept', async () => {
  const { client } = await connect({ args: [...ALL, '--db', noteFolder({})], revision: '2026-07-28' })
  for (const uri of ['memory://recent', 'memory://core', 'memory://tasks/active'])
    expect(await client.readResource({ uri })).toMatchObject({
      ttlMs: 0,
      contents: [{ uri, mimeType: 'application/json' }],
    })
})

describe('a memory that cannot be read', () => {
  async function stored(): Promise<{ folder: string; file: string }> {
    const folder = noteFolder({})
    const { call, close } = await connect({ args: [...ALL, '--db', folder] })
    for (let n = 0; n < 200; n++) await call('store_memory', { type: 'learning', content: `memory ${n}` })
    await close()
    return { folder, file: join(folder, '.remindb', 'memory.db') }
  }

  test('is corrupted: tools and resources say so in the words of the contract', async () => {
    const { folder, file } = await stored()
    const bytes = readFileSync(file)
    // The first page says what the file is; what follows is nonsense.
    bytes.fill(0x5a, 4096)
    writeFileSync(file, bytes)
    const connected = await connect({ args: [...ALL, '--db', folder] })
    const answer = await failed(connected, 'query_memories', {})
    expect(JSON.parse(textOf(answer))).toMatchObject({ error: { code: 'CORRUPTED_DATA' } })
    const error = await failureOf(connected.client.readResource({ uri: 'memory://recent' }))
    expect(error.data).toMatchObject({ code: 'CORRUPTED_DATA' })
    expect(error.message).toContain('Memory storage corrupted. Run repair tool or restore from backup.')
    // Each call tries again, and lets go of what it opened.
    const handles = () => readdirSync(`/proc/${connected.pid}/fd`).length
    const before = existsSync('/proc') ? handles() : 0
    for (let n = 0; n < 20; n++) await failed(connected, 'query_memories', {})
    if (before > 0) expect(handles()).toBeLessThan(before + 10)
  })

  test('is no database at all: the same', async () => {
    const folder = noteFolder({
      '.remindb/memory.db': 'This is no database, whatever its name says.\n'.repeat(99),
    })
    const connected = await connect({ args: [...ALL, '--db', folder] })
    const answer = await failed(connected, 'store_memory', { type: 'core', content: 'x' })
    expect(JSON.parse(textOf(answer))).toMatchObject({ error: { code: 'CORRUPTED_DATA' } })
    const error = await failureOf(connected.client.readResource({ uri: 'memory://core' }))
    expect(error.data).toMatchObject({ code: 'CORRUPTED_DATA' })
  })

  test('may not be read: permission denied', async () => {
    const { folder, file } = await stored()
    chmodSync(file, 0)
    onTestFinished(() => chmodSync(file, 0o600))
    const connected = await connect({ args: [...ALL, '--db', folder], unprivileged: true })
    const answer = await failed(connected, 'query_memories', {})
    expect(JSON.parse(textOf(answer))).toMatchObject({ error: { code: 'PERMISSION_ERROR' } })
    const error = await failureOf(connected.client.readResource({ uri: 'memory://core' }))
    expect(error.data).toMatchObject({ code: 'STORAGE_ERROR' })
    expect(error.message).toContain('Unable to read memory storage: permission denied')
  })
})
