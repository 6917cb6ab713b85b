import { type CheckTx, checkMemory } from '../../core/doctor/check-memory.ts'
import type { CheckResult } from '../../core/port/store.ts'
import type { Context } from './database/context.ts'
import { reporting } from './database/errors.ts'
import { openReader } from './database/open.ts'
import { readQueries } from './transaction.ts'

type Query = (...args: unknown[]) => unknown

/** Every check, through one handle, in the transaction that it is in. A query that fails fails no other one. */
export function runChecks(context: Context): Promise<CheckResult[]> {
  const { engineChecks, ...reads } = readQueries(context)
  const asked = Object.entries(reads).map(([name, query]) => [
    name,
    async (...args: unknown[]) => reporting(() => (query as Query)(...args)),
  ])
  const tx: CheckTx = { ...Object.fromEntries(asked), engineChecks: async () => engineChecks() }
  return checkMemory(tx, context)
}

/** Through a handle of their own: all checks see the same state, whatever is written meanwhile. */
export async function checkFile(file: string, context: Omit<Context, 'db' | 'now'>): Promise<CheckResult[]> {
  const db = openReader(file)
  try {
    db.exec('BEGIN')
    return await runChecks({ ...context, db, now: Date.now })
  } finally {
    db.close()
  }
}
