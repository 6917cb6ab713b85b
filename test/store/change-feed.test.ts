import type { Database } from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { CHANGE_KINDS } from '../../src/core/port/change-feed.ts'
import { boostHeat, tickHeat } from '../../src/core/rows/heat.ts'
import { acquireLease, describeLease } from '../../src/core/rows/leases.ts'
import { createChangeFeed } from '../../src/store/sqlite/change-feed.ts'
import { openReader } from '../../src/store/sqlite/database/open.ts'
import { listen } from '../support/feed.ts'
import { soon } from '../support/soon.ts'
import { addDocument, note } from '../support/store-changes.ts'
import { start } from '../support/store-children.ts'
import { filledDatabase, openEngine, tamper } from '../support/store-database.ts'
import { rootsOf } from '../support/store-reads.ts'
import { writing } from '../support/writing.ts'

async function openFilled() {
  const file = await filledDatabase()
  const engine = await openEngine(file)
  onTestFinished(() => engine.close())
  const rows = (): { sequence: number; kind: string }[] => {
    const db = openReader(file)
    try {
      return db
        .prepare<[], { sequence: number; kind: string }>('SELECT sequence, kind FROM changes ORDER BY 1')
        .all()
    } finally {
      db.close()
    }
  }
  return { file, engine, rows, kinds: () => rows().map(({ kind }) => kind) }
}

test('another process is heard, also while a third holds the lock', { timeout: 60_000 }, async () => {
  const { file, engine } = await openFilled()
  const heard = listen(engine)
  const writer = start('increment', { file, name: 'w', count: 3 })
  expect(await writer.next()).toBe('ready')
  const lock = start('hold-lock', { file })
  expect(await lock.next()).toBe('holding')
  writer.tell()
  lock.tell()
  await lock.ended()
  expect(await writer.next()).toBe('done')
  await writer.ended()
  expect(new Set(await heard.until('test'))).toEqual(new Set(['test']))
})

/** A handle on which looking fails as often as `failures` says. */
function failing(failures: string[]): (file: string) => Database {
  return (file) => {
    const db = openReader(file)
    const prepare = db.prepare.bind(db)
    db.prepare = ((sql: string) => {
      const code = sql === 'PRAGMA data_version' && isWatching ? failures.shift() : undefined
      if (code) throw Object.assign(new Error(code), { code })
      return prepare(sql)
    }) as Database['prepare']
    return db
  }
}
let isWatching = false

test('a database that is busy is looked at again, and nothing is lost; another failure is told once', async () => {
  const { file, engine } = await openFilled()
  const failures = ['SQLITE_BUSY', 'SQLITE_IOERR', 'SQLITE_IOERR', 'SQLITE_BUSY_RECOVERY', 'SQLITE_IOERR']
  const feed = createChangeFeed(file, failing(failures))
  onTestFinished(() => feed.close())
  const [batches, errors]: [string[][], unknown[]] = [[], []]
  feed.watch((kinds) => void batches.push([...kinds]), {
    intervalMs: 5,
    onError: (error) => errors.push(error),
  })
  isWatching = true
  await addDocument(engine.store, note('n'), [])
  await soon(() => batches).toEqual([['test']])
  expect(failures).toEqual([])
  expect(errors).toEqual([expect.objectContaining({ code: 'UNAVAILABLE' })])
})

test('watchers share a handle, and each is told of what is written while it watches', async () => {
  const { file, engine } = await openFilled()
  let handles = 0
  const feed = createChangeFeed(file, (path) => {
    handles++
    return openReader(path)
  })
  onTestFinished(() => feed.close())
  const heard: string[] = []
  const stopFirst = feed.watch((kinds) => void heard.push(`first ${[...kinds]}`), { intervalMs: 5 })
  await addDocument(engine.store, note('a'), [])
  const stopSecond = feed.watch((kinds) => void heard.push(`second ${[...kinds]}`), { intervalMs: 10_000 })
  await addDocument(engine.store, note('b'), [])
  await soon(() => [...heard]).toEqual(['first test', 'first test', 'second test'])
  stopFirst()
  stopSecond()
  expect(handles).toBe(1)
  feed.watch(() => undefined)
  expect(handles).toBe(2)
})

test('who is far behind is told of everything', async () => {
  const { file, engine } = await openFilled()
  const heard = listen(engine)
  tamper(file, (db) =>
    db.exec(`INSERT INTO changes (sequence, space_id, kind, created_at) VALUES (5000, 1, 'write', 0)`),
  )
  expect(new Set(await heard.until('write'))).toEqual(new Set(CHANGE_KINDS))
})

test('rows of what happens by itself do not pile up, however they take turns', async () => {
  const { engine, kinds } = await openFilled()
  const before = kinds()
  const id = (await engine.store.read((tx) => rootsOf(tx)))[0]?.id ?? ''
  const lease = { name: 'tick', holder: 'a' }
  for (let at = 1; at <= 20; at++) {
    await writing(engine.store, (tx) => boostHeat(tx, [{ id, by: 0.1, times: 1 }], at))
    await writing(engine.store, async (tx) => {
      const now = Date.now() + at * 3_600_000
      await acquireLease(tx, { ...lease, ttlMs: 1000, now: at })
      await tickHeat(tx, { now, ratePerHour: 0.05, enabled: true })
      await describeLease(tx, { ...lease, detail: String(at), change: 'cold' })
    })
  }
  expect(kinds()).toEqual([...before, 'update', 'tick', 'cold'])
})

test('rows older than a day go, a hundred after every fifty that come; the newest thousand stay', async () => {
  const { file, engine, rows } = await openFilled()
  tamper(file, (db) =>
    db.exec(`WITH RECURSIVE n (x) AS (SELECT 10000 UNION ALL SELECT x + 1 FROM n WHERE x < 12998)
      INSERT INTO changes (sequence, space_id, kind, created_at) SELECT x, 1, 'write', 0 FROM n;
      UPDATE changes SET created_at = 0`),
  )
  const before = rows().length
  await addDocument(engine.store, note('a'), [])
  expect(rows()).toHaveLength(before + 1)
  await addDocument(engine.store, note('b'), [])
  expect(rows()).toHaveLength(before + 2 - 100)
  expect(rows()[0]?.sequence).toBeGreaterThanOrEqual(10_000)
  tamper(file, (db) =>
    db.exec(
      `DELETE FROM changes WHERE sequence < 12002; UPDATE sqlite_sequence SET seq = 13049 WHERE name = 'changes'`,
    ),
  )
  await addDocument(engine.store, note('c'), [])
  expect(rows()[0]?.sequence).toBe(12_051)
  expect(rows().at(-1)?.sequence).toBe(13_050)
})

test('rows of today stay, however many', async () => {
  const { file, engine, rows } = await openFilled()
  tamper(file, (db) =>
    db
      .prepare(`WITH RECURSIVE n (x) AS (SELECT 10000 UNION ALL SELECT x + 1 FROM n WHERE x < 12999)
      INSERT INTO changes (sequence, space_id, kind, created_at) SELECT x, 1, 'write', ? FROM n`)
      .run(Date.now()),
  )
  const before = rows().length
  await addDocument(engine.store, note('a'), [])
  expect(rows()).toHaveLength(before + 1)
})
