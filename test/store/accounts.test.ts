import { readdirSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { openAccounts } from '../../src/runtime/spaces/accounts.ts'
import { openSqliteAccounts } from '../../src/store/sqlite/accounts/engine.ts'
import { allRows, fillAccounts, userRow } from '../support/account-rows.ts'
import { grantRow, passwordRow } from '../support/oauth-rows.ts'
import { start } from '../support/store-children.ts'
import { filledDatabase } from '../support/store-database.ts'
import { fileHash, temporaryFolder } from '../support/store-files.ts'

const emptyPath = (): string => join(temporaryFolder(), 'auth.db')

/** Closed accounts with some rows. */
async function filledFile(): Promise<string> {
  const file = emptyPath()
  const store = openSqliteAccounts({ file, create: true })
  await fillAccounts(store)
  await store.close()
  return file
}

function tamper(file: string, sql: string): void {
  const db = new Sqlite(file)
  db.exec(sql)
  db.close()
}

/** What a program said before it was killed. */
async function killAfter(count: number, file: string, name: string): Promise<string[][]> {
  const child = start('change-forever', { file, name }, { of: 'accounts' })
  const said: string[][] = []
  for (let at = 0; at < count; at++) said.push(((await child.next()) ?? 'too early').split(' '))
  child.kill()
  for (let line = await child.next(); line !== undefined; line = await child.next())
    said.push(line.split(' '))
  expect(await child.ended()).toBe('')
  return said
}

test('what was acknowledged survives kill -9, and nothing is half done', async () => {
  const file = emptyPath()
  const first = await openAccounts(dirname(file), { create: true })
  await first.spaces.create('red')
  await first.close()
  for (const [round, lines] of [1, 23, 6, 2, 17, 4].entries()) {
    const said = await killAfter(lines, file, `round${round}`)
    // Of the last one, the next change may have been made and not yet acknowledged.
    const unfinished = said.at(-1)?.[1]
    const accounts = await openAccounts(dirname(file))
    const expected = new Map<string, string>()
    for (const [what = '', user, id = '', more = ''] of said) {
      if (user === unfinished) continue
      if (what === 'works') expected.set(id, more)
      else for (const ended of [id, more]) expected.set(ended, 'ended')
    }
    const keys = new Map((await accounts.keys.list()).map((key) => [key.id, key]))
    for (const [id, token] of expected) {
      if (token === 'ended') expect(keys.get(id)?.revokedAt).not.toBeNull()
      else expect((await accounts.authenticate(token)).kind).toBe('ok')
    }
    const members = new Set((await accounts.members.list({ space: 'red' })).map(({ userId }) => userId))
    for (const { userId, parentId, revokedAt } of keys.values()) {
      expect(members.has(userId)).toBe(true)
      // A key and those below it are revoked together.
      if (parentId !== null) expect(revokedAt).toBe(keys.get(parentId)?.revokedAt)
    }
    await accounts.close()
    const db = new Sqlite(file)
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok')
    expect(db.pragma('foreign_key_check')).toEqual([])
    db.close()
  }
})

test('processes that create and change the same accounts at once lose nothing', async () => {
  const file = emptyPath()
  const names = ['a', 'b', 'c']
  const children = names.map((name) => start('create', { file, name, count: 15 }, { of: 'accounts' }))
  for (const child of children) expect(await child.next()).toBe('ready')
  for (const child of children) child.tell()
  for (const child of children) expect(await child.next()).toBe('done')
  const store = openSqliteAccounts({ file })
  const { users, spaces, members, keys } = await allRows(store)
  expect([users.length, spaces.length, members.length, keys.length]).toEqual([45, 3, 45, 45])
  await store.close()
})

test('a write waits for another process, others read meanwhile, and gives up in the end', async () => {
  const file = await filledFile()
  const holder = start('hold-lock', { file })
  expect(await holder.next()).toBe('holding')
  const hasty = openSqliteAccounts({ file, lockWaitMs: 20 })
  await expect(hasty.write((tx) => tx.putUser(userRow('eve')))).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  const patient = openSqliteAccounts({ file })
  const write = patient.write((tx) => tx.putUser(userRow('eve')))
  expect((await patient.read((tx) => tx.users())).map(({ name }) => name)).toEqual(['ada', 'bob'])
  holder.tell()
  await write
  expect((await hasty.read((tx) => tx.users())).map(({ name }) => name)).toEqual(['ada', 'bob', 'eve'])
  await Promise.all([hasty.close(), patient.close()])
})

const LOST = {
  code: 'UNAVAILABLE',
  message: 'auth.db was deleted, moved or replaced while it was open; restart the server',
}

test.each<[string, (file: string) => Promise<void> | void]>([
  ['deleted', (file) => rmSync(file)],
  ['moved', (file) => renameSync(file, `${file}.old`)],
  ['replaced', async (file) => renameSync(await filledFile(), file)],
])('accounts whose file was %s are neither read nor written any more', async (_what, lose) => {
  const file = await filledFile()
  const store = openSqliteAccounts({ file })
  expect(await store.read((tx) => tx.users())).toHaveLength(2)
  await lose(file)
  await expect(store.read((tx) => tx.users())).rejects.toMatchObject(LOST)
  await expect(store.write((tx) => tx.putUser(userRow('eve')))).rejects.toMatchObject(LOST)
  await expect(store.backup(`${file}.copy`)).rejects.toMatchObject(LOST)
  await store.close()
})

test('accounts whose file was away stay closed when it returns', async () => {
  const file = await filledFile()
  const store = openSqliteAccounts({ file })
  renameSync(file, `${file}.old`)
  await expect(store.read((tx) => tx.users())).rejects.toMatchObject(LOST)
  renameSync(`${file}.old`, file)
  await expect(store.read((tx) => tx.users())).rejects.toMatchObject(LOST)
  await store.close()
})

/** Waits until every watch that began before has looked again. */
async function anotherLook(): Promise<void> {
  const file = await filledFile()
  const [writer, watcher] = [openSqliteAccounts({ file }), openSqliteAccounts({ file })]
  for (const name of ['eve', 'dan']) {
    const seen = Promise.withResolvers<void>()
    const stop = watcher.watch(seen.resolve)
    await writer.write((tx) => tx.putUser(userRow(name)))
    await seen.promise
    stop()
  }
  await Promise.all([writer.close(), watcher.close()])
}

test('watchers are notified once that the file was replaced', async () => {
  const file = await filledFile()
  const store = openSqliteAccounts({ file })
  let notified = 0
  const first = Promise.withResolvers<void>()
  store.watch(() => {
    notified++
    first.resolve()
  })
  renameSync(await filledFile(), file)
  await first.promise
  await expect(store.read((tx) => tx.users())).rejects.toMatchObject(LOST)
  await anotherLook()
  expect(notified).toBe(1)
  await store.close()
})

test('watching does not keep a process alive', async () => {
  const child = start('watch', { file: emptyPath() }, { of: 'accounts' })
  expect(await child.next()).toBe('watches')
  expect(await child.ended()).toBe('')
})

test('the file is for its owner only, with its journals', async () => {
  const file = emptyPath()
  const store = openSqliteAccounts({ file, create: true })
  await fillAccounts(store)
  for (const name of readdirSync(dirname(file)))
    expect([name, statSync(join(dirname(file), name)).mode & 0o777]).toEqual([name, 0o600])
  await store.close()
})

test('a copy has everything, and never replaces a file', async () => {
  const file = await filledFile()
  const store = openSqliteAccounts({ file })
  const copy = join(dirname(file), 'copy.db')
  await store.backup(copy)
  expect(statSync(copy).mode & 0o777).toBe(0o600)
  await expect(store.backup(copy)).rejects.toMatchObject({ code: 'CONFLICT' })
  const copied = openSqliteAccounts({ file: copy })
  expect(await allRows(copied)).toEqual(await allRows(store))
  await Promise.all([copied.close(), store.close()])
})

test('accounts that are not there are not made by a typing error', async () => {
  const file = emptyPath()
  expect(() => openSqliteAccounts({ file })).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }))
  expect(readdirSync(dirname(file))).toEqual([])
})

const REFUSALS: Record<string, [code: string, make: () => Promise<string>]> = {
  'of a newer remindb': [
    'NEWER_DATABASE',
    async () => {
      const file = await filledFile()
      tamper(file, 'PRAGMA user_version = 99')
      return file
    },
  ],
  'with a trigger that gives access': [
    'CORRUPTED_DATA',
    async () => {
      const file = await filledFile()
      tamper(file, 'CREATE TRIGGER t AFTER INSERT ON users BEGIN UPDATE users SET is_admin = 1; END')
      return file
    },
  ],
  'without one of its tables': [
    'CORRUPTED_DATA',
    async () => {
      const file = await filledFile()
      tamper(file, 'DROP TABLE members')
      return file
    },
  ],
  'that is a memory': ['NOT_A_DATABASE', filledDatabase],
  'of another program': [
    'NOT_A_DATABASE',
    async () => {
      const file = emptyPath()
      tamper(file, 'CREATE TABLE users (id)')
      return file
    },
  ],
  'that is a text': [
    'NOT_A_DATABASE',
    async () => {
      const file = emptyPath()
      writeFileSync(file, 'not a database, but my diary\n'.repeat(500))
      return file
    },
  ],
}

test.each(Object.entries(REFUSALS))(
  'a file %s is refused and left as it was',
  async (_what, [code, make]) => {
    const file = await make()
    const before = fileHash(file)
    for (const create of [false, true])
      expect(() => openSqliteAccounts({ file, create })).toThrow(
        expect.objectContaining({ name: 'MemoryError', code }),
      )
    expect(fileHash(file)).toBe(before)
  },
)

test('a symbolic link is refused', async () => {
  const link = join(temporaryFolder(), 'auth.db')
  symlinkSync(await filledFile(), link)
  expect(() => openSqliteAccounts({ file: link })).toThrow(expect.objectContaining({ code: 'FORBIDDEN' }))
})

test('keys that a file has in a circle do not work, and hold up nobody', async () => {
  const file = await filledFile()
  tamper(file, "PRAGMA foreign_keys = OFF; UPDATE api_keys SET parent_id = 'grandchild' WHERE id = 'first'")
  const accounts = await openAccounts(dirname(file))
  expect(await accounts.current('child', 'hash of child')).toBeUndefined()
  expect(await accounts.current('bobs', 'hash of bobs')).toBeDefined()
  await accounts.close()
})

/** Undo the steps of the schema, from the last one on. */
const WITHOUT_OAUTH = `DROP TABLE oauth_records; DROP TABLE grants; DROP TABLE oauth_clients; DROP TABLE logins;
  DROP TABLE passwords; DROP TABLE server_secrets; PRAGMA user_version = 3`
const WITHOUT_AUDIT = `${WITHOUT_OAUTH}; DROP TABLE audit; DROP TABLE audit_heads; PRAGMA user_version = 2`
const TO_FIRST_SCHEMA = `${WITHOUT_AUDIT}; ALTER TABLE users DROP COLUMN byte_limit;
  ALTER TABLE users DROP COLUMN memory_limit; PRAGMA user_version = 1`

test('accounts of the first schema are brought up to date with everything in them', async () => {
  const file = await filledFile()
  tamper(file, TO_FIRST_SCHEMA)
  const expected = openSqliteAccounts({ file: await filledFile() })
  const updated = openSqliteAccounts({ file })
  expect(await allRows(updated)).toEqual(await allRows(expected))
  await updated.write((tx) => tx.putUser(userRow('ada', { limits: { bytes: 7 } })))
  expect(await updated.read((tx) => tx.user({ name: 'ada' }))).toMatchObject({ limits: { bytes: 7 } })
  await Promise.all([updated.close(), expected.close()])
})

test('accounts of the first schema with something else in them are refused', async () => {
  const file = await filledFile()
  tamper(file, `${TO_FIRST_SCHEMA}; CREATE VIEW more AS SELECT 1`)
  expect(() => openSqliteAccounts({ file })).toThrow('auth.db has parts that remindb did not make')
})

test('accounts from before there was an audit get one, and keep their rows', async () => {
  const file = await filledFile()
  const rows = async (): Promise<unknown> => {
    const store = openSqliteAccounts({ file })
    try {
      return await allRows(store)
    } finally {
      await store.close()
    }
  }
  const before = await rows()
  tamper(file, WITHOUT_AUDIT)
  expect(await rows()).toEqual(before)
  const accounts = await openAccounts(dirname(file))
  await accounts.users.create({ name: 'new' })
  expect(await accounts.audit.read(async ({ head }) => head.number)).toBe(1)
  await accounts.close()
})

test('accounts from before OAuth keep their rows and can have passwords and grants', async () => {
  const file = await filledFile()
  tamper(file, WITHOUT_OAUTH)
  const expected = openSqliteAccounts({ file: await filledFile() })
  const updated = openSqliteAccounts({ file })
  expect(await allRows(updated)).toEqual(await allRows(expected))
  await updated.write((tx) => tx.putPassword(passwordRow('ada')))
  await updated.write((tx) => tx.putGrant(grantRow('g', { user: 'ada', client: 'c', space: 'red' })))
  expect(await updated.read((tx) => tx.password('user-ada'))).toEqual(passwordRow('ada'))
  expect(await updated.read((tx) => tx.grants())).toHaveLength(1)
  await Promise.all([updated.close(), expected.close()])
})
