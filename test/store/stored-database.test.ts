import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readMemoryConfig } from '../../src/core/files/model.ts'
import { type Memory, type OpenOptions, openMemory } from '../../src/runtime/memory/open-memory.ts'
import { FIRST_SCHEMA, NEWEST_SCHEMA } from '../../src/store/sqlite/migrations/index.ts'
import { STORED_AT, VISITOR_LEAVES_AT } from '../fixtures/make-database.ts'
import { expectSound } from '../support/engine.ts'
import { databaseBytes, fileHash, temporaryFolder } from '../support/store-files.ts'

const FIXTURES = join(import.meta.dirname, '../fixtures')
const STORED = readdirSync(FIXTURES).filter((name) => name.endsWith('.db'))
const HEAD = 30

function copyOf(name: string): string {
  const file = join(temporaryFolder(), 'memory.db')
  copyFileSync(join(FIXTURES, name), file)
  return file
}

const open = (db: string, options: Partial<OpenOptions> = {}): Promise<Memory> =>
  openMemory({ db, now: () => STORED_AT, create: false, ...options })

const filesOf = (memory: Memory) =>
  memory.memoryNode(readMemoryConfig({ id: 'memory' }, 'node')).getMemoryService({ threadId: 't' })

async function found(memory: Memory, query: string): Promise<string[]> {
  const { hits } = await memory.search({ query, warm: false })
  return hits.map(({ snippet }) => snippet)
}

async function idOf(memory: Memory, query: string): Promise<string> {
  const { hits } = await memory.search({ query, warm: false })
  return hits[0]?.id ?? ''
}

async function linksOf(memory: Memory): Promise<string[]> {
  const { nodes, edges, pending } = await memory.graph()
  const labels = new Map(nodes.map(({ id, label }) => [id, label]))
  const made = edges.map(
    ({ source, target, origin }) => `${origin}: ${labels.get(source)} -> ${labels.get(target)}`,
  )
  return [...made, ...pending.map((link) => `pending: ${link.target_label}`)].sort()
}

test('a database of every schema since the first release is stored', () => {
  const schemas = Array.from({ length: NEWEST_SCHEMA - FIRST_SCHEMA + 1 }, (_, at) => FIRST_SCHEMA + at)
  expect(STORED.toSorted()).toEqual(schemas.map((schema) => `schema-${schema}.db`).toSorted())
})

test.each(STORED)('%s is small and has no path of the machine that made it', (name) => {
  const bytes = readFileSync(join(FIXTURES, name))
  expect(bytes.length).toBeLessThan(300_000)
  for (const folder of ['/tmp/', '/home/', '/Users/', '/root/']) expect(bytes.includes(folder)).toBe(false)
})

test('the stored database of schema 13 has a checkpoint', async () => {
  await using memory = await open(copyOf('schema-13.db'))
  expect(await memory.checkpoints()).toMatchObject([{ name: 'before the mutiny', snapshotId: 27 }])
})

test('the stored database of the newest schema opens without a migration and without a write', async () => {
  const file = copyOf(`schema-${NEWEST_SCHEMA}.db`)
  const before = fileHash(file)
  await using memory = await open(file, { onMigration: () => expect.unreachable() })
  await memory.overview()
  expect(fileHash(file)).toBe(before)
})

describe.each(STORED)('the stored database %s', (name) => {
  test('passes doctor, and its tree has its texts, links and tags', async () => {
    await using memory = await open(copyOf(name))
    await expectSound(memory)
    expect(await found(memory, 'ferry')).toEqual(['The ferry leaves at eight.'])
    expect(await found(memory, 'tag:todo')).toEqual(['Lit since 1821. #todo/paint'])
    for (const gone of ['brigantine', 'lanterns', 'mutiny', 'stowaway'])
      expect(await found(memory, gone)).toEqual([])
    expect(await linksOf(memory)).toEqual([
      'manual: The keeper is called Imke and plays chess. -> Lighthouse',
      'parsed: Fog, then [[Lighthouse]] at nine. -> Lighthouse',
      'parsed: See [[Lighthouse]] and [[tides#Spring tide]]. -> Lighthouse',
      'parsed: See [[Lighthouse]] and [[tides#Spring tide]]. -> Spring tide',
      'parsed: The quay is under water. -> Harbour',
      'pending: Customs house',
    ])
  })

  test('knows its history and its heat', async () => {
    await using memory = await open(copyOf(name))
    const [head, ...earlier] = await memory.snapshots()
    expect(head).toMatchObject({ id: HEAD, operation: 'rollback', message: 'rollback to 27' })
    expect(earlier.at(-1)).toMatchObject({ id: 1, operation: 'compile', message: 'the first look' })
    const { items } = await memory.history({ id: await idOf(memory, 'keeper') })
    expect(items.map((version) => version.new?.text)).toEqual([
      'The keeper is called Imke and plays chess.',
      'The keeper is called Imke.',
    ])
    expect((await memory.overview()).temperature).toMatchObject({ pinned: 1, hot: 1, cold: 0 })
    const coldest = await memory.coldest()
    const heat = Object.fromEntries(coldest.map(({ label, value }) => [label, value]))
    expect(heat['Spring tide']).toBeGreaterThan(heat['Neap tide'] ?? 1)
    expect(heat).not.toHaveProperty('Lit since 1821.')
  })

  test('gives keys, records and files', async () => {
    await using memory = await open(copyOf(name))
    expect(await memory.keys.recall('captain')).toMatchObject({ text: 'Grace, since the spring.' })
    const { versions } = await memory.keys.history('captain')
    expect(versions.map(({ value }) => value)).toEqual(['Nobody', 'Grace, since the spring.', 'Ada'])
    expect(await memory.keys.recall('visitor')).toMatchObject({ text: 'Stays for a week.' })
    expect(await memory.keys.recall('stowaway')).toMatchObject({ kind: 'redacted' })
    await expect(memory.keys.recall('cook')).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await memory.keys.listTags()).toEqual({ count: 2, tags: ['bridge', 'crew'] })
    expect(await memory.records.stats()).toMatchObject({
      by_type: { core: 1, learning: 1, task: 1 },
      most_accessed: { content: 'Tar the hull.', task_metadata: { status: 'completed' } },
      top_tags: [{ tag: 'ship', count: 2 }],
    })
    const { memories } = await memory.records.query({ type: 'learning' })
    expect(memories).toMatchObject([{ content: 'Wind from the west means rain by noon.' }])
    expect((await filesOf(memory).dump()).data).toEqual({
      '/log/february': 'Little to report.',
      '/log/january': '# January\n\nIce on the ropes.\nFog, then [[Lighthouse]] at nine.',
    })
  })

  test('takes writes through every door, and still passes doctor', async () => {
    const file = copyOf(name)
    await using memory = await open(file)
    const notes = join(dirname(file), 'notes')
    mkdirSync(notes)
    writeFileSync(
      join(notes, 'harbour.md'),
      '# Harbour\n\nThe ferry leaves at nine.\n\nSee [[Customs house]].\n',
    )
    writeFileSync(join(notes, 'customs.md'), '# Customs house\n\nClosed.\n')
    await memory.compile(notes)
    await memory.write({
      payload: 'The keeper is called Imke and paints.',
      anchor: await idOf(memory, 'keeper'),
    })
    await memory.forget({ id: await idOf(memory, 'lighthouse'), mode: 'cascade' })
    await memory.keys.remember({ key: 'captain', value: 'Mary', tags: ['crew'] })
    await memory.keys.restore({ key: 'captain', versionTimestamp: '20260101T140000000007' })
    const { id } = await memory.records.store({ type: 'task', content: 'Mend the sails.', tags: ['ship'] })
    await memory.records.update({ id, importance: 'high' })
    await filesOf(memory).append('/log/january', 'Thaw.')
    await filesOf(memory).delete('/log/february')
    await expectSound(memory)
    expect(await linksOf(memory)).toContain('parsed: See [[Customs house]]. -> Customs house')
    expect(await memory.keys.recall('captain')).toMatchObject({ text: 'Ada' })
    expect(await filesOf(memory).read('/log/january')).toMatch(/at nine\.\nThaw\.$/)

    await memory.rollback({ snapshotId: HEAD })
    await expectSound(memory)
    expect(await memory.keys.recall('captain')).toMatchObject({ text: 'Grace, since the spring.' })
    expect(await filesOf(memory).read('/log/february')).toBe('Little to report.')
  })

  test('loses the key that expires, and every trace of what is erased', async () => {
    const file = copyOf(name)
    await using memory = await open(file, { now: () => VISITOR_LEAVES_AT + 1 })
    expect(databaseBytes(file).includes('brigantine')).toBe(false)
    await expect(memory.keys.recall('visitor')).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await memory.keys.expire()).toBe(1)
    expect(databaseBytes(file).includes('Stays for a week.')).toBe(true)
    await memory.erase({ kind: 'key', key: 'visitor' })
    expect(databaseBytes(file).includes('Stays for a week.')).toBe(false)
    await expectSound(memory)
  })
})
