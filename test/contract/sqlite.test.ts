import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqlite } from '../../src/store/sqlite/engine.ts'
import { hash } from '../support/store-changes.ts'
import { storeContract } from './store.ts'

storeContract('SQLite', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'remindb-contract-'))
  const engine = await openSqlite({ file: join(folder, 'memory.db'), hash, create: true })
  return {
    ...engine,
    async close() {
      await engine.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
})
