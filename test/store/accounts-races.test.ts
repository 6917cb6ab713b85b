import { randomBytes } from 'node:crypto'
import { dirname, join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { type Accounts, createAccounts } from '../../src/core/accounts/accounts.ts'
import { openAccounts } from '../../src/runtime/spaces/accounts.ts'
import { openSqliteAccounts } from '../../src/store/sqlite/accounts/engine.ts'
import { type Child, start } from '../support/store-children.ts'
import { temporaryFolder } from '../support/store-files.ts'
import { quickHash, sha256 } from '../support/test-accounts.ts'

const COUNT = 40

/** New accounts, filled and closed. */
async function filled(fill: (accounts: Accounts) => Promise<void>): Promise<string> {
  const file = join(temporaryFolder(), 'auth.db')
  const accounts = await openAccounts(dirname(file), { create: true })
  await fill(accounts)
  await accounts.close()
  return file
}

/** Lets programs go at the same time. Returns what each of them got, as sorted numbers of all. */
async function race(children: readonly Child[]): Promise<number[]> {
  for (const child of children) expect(await child.next()).toBe('ready')
  for (const child of children) child.tell()
  const got = await Promise.all(children.map((child) => child.next()))
  return got
    .flatMap((line = '') => line.split(' ').filter(Boolean))
    .map(Number)
    .toSorted((a, b) => a - b)
}

test('a code is consumed exactly once, by any number of processes', async () => {
  const expiresAt = Date.now() + 3_600_000
  const file = await filled(async ({ records }) => {
    for (let at = 0; at < COUNT; at++)
      await records.put({ kind: 'AuthorizationCode', id: `code ${at}`, payload: '{}', expiresAt })
  })
  const children = [1, 2, 3].map(() => start('consume', { file, count: COUNT }, { of: 'accounts' }))
  expect(await race(children)).toEqual(Array.from({ length: COUNT }, (_, at) => at))
})

test('a client is bound to exactly one user, whichever process asks', async () => {
  const file = await filled(async ({ users, clients }) => {
    for (const name of ['ada', 'bob']) await users.create({ name })
    for (let at = 0; at < COUNT; at++)
      await clients.register({ id: `client ${at}`, name: 'Agent', metadata: '{}' })
  })
  const children = ['ada', 'bob'].map((name) =>
    start('bind', { file, name, count: COUNT }, { of: 'accounts' }),
  )
  expect(await race(children)).toEqual(Array.from({ length: COUNT }, (_, at) => at))
})

test('kill -9 during the setup leaves nothing, or an administrator who can sign in', async () => {
  const file = join(temporaryFolder(), 'auth.db')
  for (const lines of [1, 2, 3, 8, 1, 13, 2, 5]) {
    const child = start('setup-forever', { file }, { of: 'accounts' })
    for (let at = 0; at < lines; at++) await child.next()
    child.kill()
    let last = ''
    for (let line = await child.next(); line !== undefined; line = await child.next()) last = line
    expect(await child.ended()).toBe('')
    await expectWhole(file, last.split(' ')[1] ?? '')
  }
})

/** With the token that was said last. Removes the administrator, if there is one. */
async function expectWhole(file: string, token: string): Promise<void> {
  const store = openSqliteAccounts({ file })
  const accounts = createAccounts({ store, now: Date.now, randomBytes, sha256, scrypt: quickHash })
  const users = await accounts.users.list()
  if (users.length > 0) {
    expect(users).toMatchObject([{ name: 'root', isAdmin: true }])
    expect(await accounts.passwords.check('root', 'correct horse')).toEqual(users[0])
    expect(await store.read((tx) => tx.secrets('setup'))).toEqual([])
    expect(await accounts.setup.isOpen(token)).toBe(false)
    await accounts.users.delete('root')
  }
  await store.close()
  const db = new Sqlite(file)
  expect(db.pragma('integrity_check', { simple: true })).toBe('ok')
  expect(db.pragma('foreign_key_check')).toEqual([])
  db.close()
}
