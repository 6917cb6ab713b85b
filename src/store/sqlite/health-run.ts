import { type CheckTx, checkMemory } from '../../core/doctor/check-memory.ts'
import type { CheckResult } from '../../core/port/store.ts'
import { openTx, txMethods } from '../tx.ts'
import type { Context } from './context.ts'
import { reporting } from './errors.ts'
import { healthReads } from './health.ts'
import { linkFactReads } from './link-facts.ts'
import { linkRowReads } from './link-rows.ts'
import { scanReads } from './scan.ts'
import { storedNodeReads } from './stored-nodes.ts'

type Query = (...args: unknown[]) => unknown

/** Every check, through one handle, in the transaction that it is in. A question that fails fails no other one. */
export function runChecks(context: Context): Promise<CheckResult[]> {
  const { scan } = scanReads(context)
  const reads = {
    scan,
    storedNodes: storedNodeReads(context).storedNodes,
    ...linkRowReads(context),
    ...linkFactReads(context),
  }
  const asked = Object.entries(reads).map(([name, query]): [string, Query] => [
    name,
    (...args) => reporting(() => (query as Query)(...args)),
  ])
  const { tx } = openTx<CheckTx>(txMethods({ ...Object.fromEntries(asked), ...healthReads(context) }))
  return checkMemory(tx, context)
}
