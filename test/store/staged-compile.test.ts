import { copyFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { stageFiles } from '../../src/core/compile/staged-files.ts'
import { openMemory } from '../../src/runtime/memory/open-memory.ts'
import { openSqlite } from '../../src/store/sqlite/engine.ts'
import { createStoreThreads } from '../../src/store/sqlite/store-threads.ts'
import { expectSound } from '../support/engine.ts'
import { holdLock } from '../support/hold-writes.ts'
import { compileInto, compileStaged, type Moments, storedIn } from '../support/staged.ts'
import { hash } from '../support/store-changes.ts'
import { start } from '../support/store-children.ts'
import { temporaryFolder } from '../support/store-files.ts'
import { NOON } from '../support/store-heat.ts'

/** A memory with a note that links to a file, and a folder that was not compiled yet. */
async function openPlace() {
  const place = temporaryFolder()
  const [file, folder] = [join(place, 'db', 'memory.db'), join(place, 'notes')]
  for (const made of [join(place, 'db'), folder]) mkdirSync(made)
  for (const name of ['a', 'b', 'c'])
    writeFileSync(join(folder, `${name}.md`), `# Heading ${name}\n\nSee [[Heading b]].\n\n- one\n- two\n`)
  await using memory = await openMemory({ db: file })
  await memory.write({ payload: 'Before, about [[Heading a]].' })
  const parts = (): string[] => readdirSync(join(place, 'db')).filter((name) => name.endsWith('-part'))
  return { file, folder, parts }
}

const DIRECT = { stagedFrom: Number.POSITIVE_INFINITY }

async function checkSound(file: string): Promise<void> {
  await using memory = await openMemory({ db: file })
  await expectSound(memory)
}

test.each<[keyof Moments, 'before' | 'after']>([
  ['staging', 'before'],
  ['staged', 'before'],
  ['adopted', 'before'],
  ['published', 'after'],
])(
  'a process killed when it is %s leaves what was there %s; the next open removes the rest',
  async (moment, stored) => {
    const { file, folder, parts } = await openPlace()
    const before = storedIn(file)
    const child = start('compile-staged', { file, folder, name: moment })
    expect(await child.next()).toBe('here')
    child.kill()
    await child.ended()
    expect(parts()).toHaveLength(1)
    const reader = await openSqlite({ file, hash, readOnly: true })
    expect(await reader.store.read((tx) => tx.countRows('documents'))).toBe(stored === 'after' ? 4 : 1)
    await reader.close()
    expect(parts()).toHaveLength(1)
    await checkSound(file)
    expect(parts()).toEqual([])
    if (stored === 'before') expect(storedIn(file)).toEqual(before)
    const { added } = await compileStaged(file, folder)
    expect(added > 0).toBe(stored === 'before')
    await checkSound(file)
  },
)

test.each<[string, Moments]>([
  ['it is stored apart', { staging: () => Promise.reject(new Error('broken')) }],
  ['it was stored apart', { staged: () => Promise.reject(new Error('broken')) }],
  ['it is taken over', { adopted: () => Promise.reject(new Error('broken')) }],
])('a compile that fails when %s changes nothing and leaves nothing', async (_, moments) => {
  const { file, folder, parts } = await openPlace()
  const before = storedIn(file)
  await expect(compileStaged(file, folder, moments)).rejects.toThrow('broken')
  expect(storedIn(file)).toEqual(before)
  expect(parts()).toEqual([])
  await checkSound(file)
})

test.each<keyof Moments>(['staging', 'staged'])(
  'a compile that is given up when it is %s changes nothing',
  async (moment) => {
    const { file, folder, parts } = await openPlace()
    const before = storedIn(file)
    const caller = new AbortController()
    const giveUp = async (): Promise<void> => caller.abort(new Error('given up'))
    const compiling = compileStaged(file, folder, { [moment]: giveUp }, { signal: caller.signal })
    await expect(compiling).rejects.toThrow('given up')
    expect(storedIn(file)).toEqual(before)
    expect(parts()).toEqual([])
  },
)

test('nobody sees what is staged, and others write meanwhile', async () => {
  const { file, folder, parts } = await openPlace()
  await compileStaged(file, folder, {
    async staged({ store }) {
      expect(parts()).toHaveLength(1)
      expect(await store.read((tx) => tx.countRows('documents'))).toBe(1)
      await using other = await openMemory({ db: file })
      expect((await other.search({ query: 'heading' })).hits).toHaveLength(1)
      await other.write({ payload: 'Meanwhile, about [[Heading b]].' })
    },
  })
  expect(parts()).toEqual([])
  await using memory = await openMemory({ db: file })
  expect((await memory.overview()).relations.pending).toBe(0)
  expect((await memory.snapshots()).map(({ operation }) => operation)).toEqual(['compile', 'write', 'write'])
  await expectSound(memory)
})

test('a staging has rows in no table but those that are taken over, added up, or made anew', async () => {
  const { file, folder, parts } = await openPlace()
  const known = ['documents', 'document_names', 'texts', 'nodes', 'versions', 'heat', 'links', 'counters']
  const own = ['spaces', 'owners', 'snapshots', 'changes']
  await compileStaged(file, folder, {
    async staged() {
      const db = new Sqlite(join(dirname(file), parts()[0] ?? ''), { readonly: true })
      const tables = db
        .prepare<[], string>(`SELECT name FROM sqlite_schema WHERE type = 'table'
          AND name NOT LIKE 'sqlite%' AND name NOT LIKE 'node_index%' ORDER BY name`)
        .pluck()
        .all()
      const filled = tables.filter((table) => db.prepare(`SELECT 1 FROM ${table}`).get() !== undefined)
      expect(filled).toEqual([...known, ...own].sort())
      db.close()
    },
  })
})

test('what is staged waits for another process that has the lock', async () => {
  const { file, folder } = await openPlace()
  const { added } = await compileStaged(file, folder, {
    async staged() {
      setImmediate(holdLock(file))
    },
  })
  expect(added).toBeGreaterThan(0)
  await checkSound(file)
})

test('of two that compile the same files at the same time one stores them', async () => {
  const { file, folder } = await openPlace()
  const other: { added?: number } = {}
  const { added, snapshot } = await compileStaged(file, folder, {
    async staged() {
      other.added ??= (await compileStaged(file, folder)).added
    },
  })
  expect(other.added).toBeGreaterThan(0)
  expect({ added, snapshot }).toEqual({ added: 0, snapshot: null })
  await checkSound(file)
})

test.each<[string, typeof DIRECT | undefined]>([
  ['ids', DIRECT],
  ['ids and keys', undefined],
])('where others took the %s meanwhile, the files are stored without staging', async (_, how) => {
  const { file, folder } = await openPlace()
  const copy = `${file}.copy`
  const result = await compileStaged(file, folder, {
    async staged({ maintenance }) {
      await compileStaged(file, folder, {}, { root: 'elsewhere', ...how })
      await maintenance.files?.backup(copy)
    },
  })
  expect(result.added).toBeGreaterThan(0)
  expect(await compileStaged(copy, folder, {}, DIRECT)).toEqual(result)
  expect(storedIn(copy)).toEqual(storedIn(file))
  await checkSound(file)
})

test('what is known already, or comes to a memory that holds much, is not staged', async () => {
  const { file, folder } = await openPlace()
  let staged = 0
  const moments = {
    async staged() {
      staged++
    },
  }
  await compileStaged(file, folder, moments)
  writeFileSync(join(folder, 'a.md'), '# Another\n')
  await compileStaged(file, folder, moments)
  writeFileSync(join(folder, 'd.md'), '# New, but keys are spent\n')
  expect((await compileStaged(file, folder, moments)).added).toBe(1)
  expect(staged).toBe(1)
  await checkSound(file)
})

test('a memory is closed after what it stages was stored', async () => {
  const { file, folder, parts } = await openPlace()
  let closing: Promise<void> | undefined
  const { added } = await compileStaged(file, folder, {
    async staged(engine) {
      closing = engine.close()
    },
  })
  await closing
  expect(added).toBeGreaterThan(0)
  expect(parts()).toEqual([])
})

test('a memory that is opened read-only stages nothing', async () => {
  const { file, parts } = await openPlace()
  const { store, close } = await openSqlite({ file, hash, readOnly: true })
  await expect(store.stage?.(stageFiles, {} as never)).rejects.toMatchObject({ code: 'READ_ONLY' })
  expect(parts()).toEqual([])
  await close()
  expect(existsSync(file)).toBe(true)
})

test('memories that share a thread stage at the same time, and each gets what is its own', async () => {
  const [one, other] = [await openPlace(), await openPlace()]
  writeFileSync(join(other.folder, 'd.md'), '# Heading d\n\nOnly here, about [[Heading a]].\n')
  const threads = createStoreThreads({ max: 1 })
  const open = async ({ file }: typeof one) => {
    copyFileSync(file, `${file}.copy`)
    return openSqlite({ file, hash, threads, now: () => NOON })
  }
  const engines = [await open(one), await open(other)] as const
  await compileInto(engines[0], one.folder, {
    asked: async () => void (await compileInto(engines[1], other.folder)),
  })
  await Promise.all(engines.map((engine) => engine.close()))
  await threads.close()
  for (const { file, folder, parts } of [one, other]) {
    await compileStaged(`${file}.copy`, folder, {}, DIRECT)
    expect(storedIn(file)).toEqual(storedIn(`${file}.copy`))
    expect(parts()).toEqual([])
    await checkSound(file)
  }
})
