import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe } from 'vitest'
import { openSqlite } from '../../src/store/sqlite/engine.ts'
import { hash } from '../support/store-changes.ts'
import { STORE_CONTRACT } from './store.ts'

/** Puts SQLite to one part of the contract. */
export function sqliteKeeps(part: keyof typeof STORE_CONTRACT): void {
  describe(`SQLite keeps the contract of the store: ${part}`, () =>
    STORE_CONTRACT[part](openSqliteMemory, { files: true }))
}

async function openSqliteMemory() {
  const folder = mkdtempSync(join(tmpdir(), 'remindb-contract-'))
  const engine = await openSqlite({ file: join(folder, 'memory.db'), hash, create: true, writer: 'here' })
  return {
    ...engine,
    async close() {
      await engine.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
