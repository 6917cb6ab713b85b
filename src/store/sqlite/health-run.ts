import { type CheckTx, checkMemory } from '../../core/doctor/check-memory.ts'
import type { CheckResult } from '../../core/port/store.ts'
import type { Context } from './context.ts'
import { reporting } from './errors.ts'
import { healthReads } from './health.ts'
import { scanReads } from './scan.ts'
import { openTx, txMethods } from './tx.ts'

/** Every check, through one handle, in the transaction that it is in. A question that fails fails no other one. */
export function runChecks(context: Context): Promise<CheckResult[]> {
  const { scan } = scanReads(context)
  const ask: typeof scan = (table, page) => reporting(() => scan(table, page))
  const { tx } = openTx<CheckTx>(txMethods({ scan: ask, ...healthReads(context) }))
  return checkMemory(tx, context)
}
