import { type CheckTx, checkMemory } from '../../src/core/doctor/check-memory.ts'
import { type NodeStateRow, nodeStates } from '../../src/core/doctor/checked-rows.ts'
import type { CheckResult } from '../../src/core/port/store.ts'
import { hash } from './store-changes.ts'

/** Every check of doctor, of what a transaction sees. */
export function healthOf(tx: CheckTx): Promise<CheckResult[]> {
  return checkMemory(tx, { hash })
}

/** What the checks compare the marks and labels of live nodes with. */
export async function allStates(tx: Pick<CheckTx, 'scan'>): Promise<NodeStateRow[]> {
  const all: NodeStateRow[] = []
  for await (const page of nodeStates(tx)) all.push(...page)
  return all
}
