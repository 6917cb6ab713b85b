import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { type Verified, verifyChain } from '../../src/core/audit/verify.ts'
import { backupSpaces, restoreSpaces } from '../../src/index.ts'
import { restoreMemory } from '../../src/runtime/backup/restore-memory.ts'
import { openAccounts } from '../../src/runtime/spaces/accounts.ts'
import { spaceFiles } from '../../src/runtime/spaces/space-files.ts'
import { readAuditHead } from '../../src/runtime/upkeep/audit-head.ts'
import { sha256 } from '../../src/util/text/sha256.ts'
import { all, auditOf } from '../support/audit.ts'
import { temporaryFolder } from '../support/engine.ts'
import { connectTeam, keyFor, startTeam } from '../support/team.ts'

const NOW = Date.UTC(2026, 0, 2)

/** A server that stores some keys, and ends. */
async function serveOnce(dir: string, keys: readonly string[], spaces: readonly string[] = []) {
  const team = await startTeam(dir, { spaces })
  const { call } = await connectTeam(team, await keyFor(team))
  for (const key of keys) await call('remember', { key, value: 'x' })
  const id = (await team.accounts.spaces.find('red'))?.id ?? ''
  await team.team.close()
  return spaceFiles(dir, id)
}

async function accountsOf(dir: string): Promise<{ verified: Verified; events: string[] }> {
  const known = readAuditHead(dir)
  const accounts = await openAccounts(dir)
  const verified = await accounts.audit.read((chain) => verifyChain({ ...chain, known, sha256 }))
  const entries = await accounts.audit.read((chain) => all(chain.entries))
  await accounts.close()
  return { verified, events: entries.map(({ event }) => event) }
}

async function spaceOf(dir: string) {
  const accounts = await openAccounts(dir)
  const { entries, verified } = await auditOf({ dir, accounts })
  await accounts.close()
  return { verified, entries, events: entries.map(({ event, subject }) => `${event} ${subject}`.trim()) }
}

test('a restore of all spaces is recorded in every audit, and none of them is broken by it', async () => {
  const dir = join(temporaryFolder(), 'team')
  const { folder } = await serveOnce(dir, ['one'], ['red', 'blue'])
  const { folder: backup } = await backupSpaces({ dir, now: NOW })
  await serveOnce(dir, ['two', 'three'])
  const before = readAuditHead(folder)
  expect(before).toMatchObject({ number: 3 })
  await restoreSpaces({ backup, dir, now: NOW })
  const restored = await accountsOf(dir)
  expect(restored.verified).toMatchObject({ status: 'ok' })
  expect(restored.events.at(-1)).toBe('backup_restored')
  const { verified, events, entries } = await spaceOf(dir)
  expect(verified).toEqual({ status: 'ok', entries: 2 })
  // What the audit was like before is named: the folder moved aside has it.
  expect(events).toEqual(['memory_created one', `backup_restored 3 ${before?.hash}`])
  expect(readAuditHead(folder)).toEqual({ number: 2, hash: entries.at(-1)?.hash, removed: 0 })
  await serveOnce(dir, ['four'])
  expect((await spaceOf(dir)).events).toContain('memory_created four')
  expect((await spaceOf(dir)).verified).toEqual({ status: 'ok', entries: 3 })
  expect((await accountsOf(dir)).verified).toMatchObject({ status: 'ok' })
})

test('a restore of one space is recorded in its audit', async () => {
  const dir = join(temporaryFolder(), 'team')
  const { folder, db } = await serveOnce(dir, ['one'], ['red'])
  const backup = join(temporaryFolder(), 'copy.db')
  new Sqlite(db).exec(`VACUUM INTO '${backup}'`).close()
  await serveOnce(dir, ['two'])
  const before = readAuditHead(folder)
  const { aside } = await restoreMemory({ backup, db, now: NOW })
  const { verified, events } = await spaceOf(dir)
  expect(verified).toEqual({ status: 'ok', entries: 2 })
  expect(events).toEqual(['memory_created one', `backup_restored 2 ${before?.hash}`])
  await restoreMemory({ backup: aside ?? '', db, now: NOW + 1 })
  const back = await spaceOf(dir)
  expect(back.verified).toEqual({ status: 'ok', entries: 3 })
  expect(back.events[2]).toMatch(/^backup_restored 2 /)
})

test('a backup whose audit was changed is still found out after it was restored', async () => {
  const dir = join(temporaryFolder(), 'team')
  const { db } = await serveOnce(dir, ['one', 'two'], ['red'])
  const changed = new Sqlite(db)
  changed.exec(`DELETE FROM audit WHERE number > 1;
    UPDATE spaces SET audit_number = 1, audit_hash = (SELECT hash FROM audit WHERE number = 1)`)
  changed.close()
  const { folder: backup } = await backupSpaces({ dir, now: NOW })
  await restoreSpaces({ backup, dir, now: NOW })
  expect((await spaceOf(dir)).verified).toMatchObject({ status: 'broken', number: 2 })
})
