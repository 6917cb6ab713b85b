import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { beforeAll, expect, expectTypeOf, test } from 'vitest'
import type { Store } from '../../src/core/port/store.ts'
import type { MemoryObserver } from '../../src/mcp/model/observer.ts'
import { expandUri } from '../../src/mcp/model/uri.ts'
import { RESOURCES } from '../../src/mcp/resources/list.ts'
import { stampOf } from '../../src/mcp/subscriptions/stamp.ts'
import type { ObserverParts } from '../../src/runtime/memory/observer.ts'
import { type Memory, openMemory } from '../../src/runtime/memory/open-memory.ts'
import { ensureProgramIsBuilt, remindb } from '../support/cli.ts'
import { NOW, watch } from '../support/resources.ts'
import { servedWith } from '../support/served.ts'
import { filledDatabase } from '../support/store-database.ts'
import { temporaryFolder } from '../support/store-files.ts'

beforeAll(ensureProgramIsBuilt)

/** Every file of a database but the index of its journal, which only says who reads. */
function filesOf(file: string): Record<string, string> {
  const names = readdirSync(dirname(file)).filter((name) => name.startsWith(basename(file)))
  const kept = names.filter((name) => !name.endsWith('-shm')).sort()
  return Object.fromEntries(
    kept.map((name) => [
      name,
      createHash('sha256')
        .update(readFileSync(join(dirname(file), name)))
        .digest('hex'),
    ]),
  )
}

/** Something for every view. */
async function fillRecords(file: string): Promise<void> {
  await using memory = await openMemory({ db: file, now: () => NOW })
  for (const type of ['core', 'learning', 'task'] as const)
    await memory.records.store({ type, content: `a ${type}`, tags: ['a'], category: 'completed' })
  await memory.records.query({ tags: ['a'] })
}

function rowsOf(file: string): unknown {
  const db = new Sqlite(file, { readonly: true })
  try {
    return ['heat', 'spaces', 'snapshots', 'changes', 'counters', 'leases', 'documents'].map((table) => [
      table,
      db.prepare(`SELECT * FROM ${table} ORDER BY 1`).all(),
    ])
  } finally {
    db.close()
  }
}

/** Of a snapshot, a node or a session. */
function idIn(uri: string, node: string): string {
  if (uri.includes('/node/')) return node
  return uri.includes('diffs') ? '1' : 'k7f3a9c2'
}

test('reading every resource leaves the files of the database as they are, byte for byte', async () => {
  const file = await filledDatabase()
  await fillRecords(file)
  await using seen = await watch(file)
  const rootId = (await seen.json('remindb://tree')).roots[0].id
  const before = filesOf(file)
  const rows = rowsOf(file)
  const sample = {
    ...{ rootId, hash: 'Xy3K9mQ2pLs', q: 'paragraph item', cursor: 'start', limit: '2' },
    ...{ view: 'mine', since: '2020-01-01', tags: 'a' },
    ...{ moment: 'head', from: '1', to: 'now', root: rootId },
  }
  // Keys have a test of their own, below.
  const others = RESOURCES.filter(({ uri }) => !/\{key\}|_index/.test(uri))
  const uris = others.map(({ uri }) => expandUri(uri, { ...sample, id: idIn(uri, rootId) }))
  expect(uris.length).toBeGreaterThan(30)
  for (const uri of uris) expect((await seen.read(uri)).length, uri).toBeGreaterThan(10)
  for (const uri of uris.filter((one) => one.startsWith('memory://') && one.includes('tags=')))
    expect((await seen.json(uri)).count, uri).toBeGreaterThan(0)
  for (const uri of uris) await stampOf(servedWith({ memory: { observer: async () => seen.observer } }), uri)
  expect(filesOf(file)).toEqual(before)
  expect(rowsOf(file)).toEqual(rows)
  expect(existsSync(`${file}-journal`)).toBe(false)
})

test('an observer is made from what cannot write, and has nothing to write with', () => {
  expectTypeOf<ObserverParts['store']>().toEqualTypeOf<Pick<Store, 'read' | 'query'>>()
  type Writing = Extract<
    keyof MemoryObserver,
    'write' | 'warm' | 'heal' | 'compile' | 'forget' | 'pin' | 'close'
  >
  expectTypeOf<Writing>().toEqualTypeOf<never>()
})

test('doctor is the very text that the command prints', async () => {
  const file = await filledDatabase()
  const { stdout } = remindb(['doctor', '--json', '--db', file], { cwd: dirname(file) })
  await using seen = await watch(file)
  expect(await seen.read('remindb://doctor')).toBe(stdout)
})

test('search is what the command prints', async () => {
  const file = await filledDatabase()
  const args = ['search', 'paragraph', '--json', '--db', file]
  const { stdout } = remindb(args, { cwd: dirname(file) })
  await using seen = await watch(file)
  expect(await seen.read('remindb://search?q=paragraph')).toBe(JSON.stringify(JSON.parse(stdout)))
})

/** A memory in which a key has expired that nobody has removed: nothing runs that would. */
async function openWithExpired() {
  const file = join(temporaryFolder(), 'memory.db')
  let now = NOW
  const memory = await openMemory({ db: file, now: () => now })
  await memory.write({ payload: '# Lasting\n\nA paragraph of words.' })
  await memory.keys.remember({ key: 'a/b', value: 'a value', tags: ['t'] })
  await memory.keys.remember({
    ...{ key: 'ends', tags: ['t'], ttlSeconds: 60 },
    value: '# Ephemeral\n\nA paragraph: see [[Lasting]] and [[Nowhere]].',
  })
  now += 60_000
  return { file, memory, [Symbol.asyncDispose]: () => memory.close() }
}

/** What the resources about nodes say. Snapshots are told apart from them: the sweep makes one. */
async function nodesSeen({ observer }: Memory) {
  const page = { limit: 10 }
  const { snapshots: _, db_bytes: __, ...overview } = await observer.overview()
  return {
    overview,
    forest: await observer.forestText({}, ''),
    forestPage: await observer.forestPage(page),
    graph: await observer.graphText(''),
    graphPage: await observer.graphPage(page),
    temperature: await observer.temperatureText(''),
    temperaturePage: await observer.temperaturePage(page),
    files: await observer.files(),
    search: await observer.search({ query: 'paragraph' }),
    byType: await observer.search({ query: 'type:heading' }),
    keys: await observer.keyIndex(),
  }
}

test('reading what keys hold leaves every file as it is, and counts as no access', async () => {
  await using at = await openWithExpired()
  const { file, memory } = at
  const { observer } = memory
  const before = filesOf(file)
  expect(await observer.keyIndex()).toEqual({ keys: ['a/b'], isCut: false })
  expect(await observer.findKey('a/b')).toMatchObject({ kind: 'text', text: 'a value' })
  expect(await observer.keyVersion('a/b')).toMatch(/\S/)
  expect(await observer.findKey('ends')).toBeUndefined()
  expect(await observer.findKey('none')).toBeUndefined()
  expect(filesOf(file)).toEqual(before)
  expect((await memory.keys.list({ tag: 't' })).items).toMatchObject([{ recall_count: 0 }])
})

test('resources show of an expired key what they show once it is removed, and do not remove it', async () => {
  await using at = await openWithExpired()
  const { file, memory } = at
  const before = filesOf(file)
  const rows = rowsOf(file)
  const seen = await nodesSeen(memory)
  expect(await memory.observer.doctor()).toMatchObject({ status: 'pass' })
  expect(filesOf(file)).toEqual(before)
  expect(rowsOf(file)).toEqual(rows)
  expect(JSON.stringify(seen)).not.toMatch(/Ephemeral|key:ends|Nowhere/)
  expect(await memory.keys.expire()).toBe(1)
  expect(await nodesSeen(memory)).toEqual(seen)
})

test('a link to an expired key is not shown', async () => {
  let now = NOW
  await using memory = await openMemory({ db: join(temporaryFolder(), 'memory.db'), now: () => now })
  await memory.keys.remember({ key: 'ends', value: '# Ephemeral', ttlSeconds: 60 })
  await memory.write({ payload: 'See [[Ephemeral]].' })
  expect((await memory.graph()).edges).toHaveLength(1)
  now += 60_000
  expect(await memory.graph()).toEqual({ nodes: [], edges: [], pending: [] })
  expect((await memory.overview()).relations.total).toBe(0)
  await memory.tick()
  expect((await memory.graph()).pending).toHaveLength(1)
})
