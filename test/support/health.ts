import { type CheckTx, checkMemory } from '../../src/core/doctor/check-memory.ts'
import type { CheckResult } from '../../src/core/port/store.ts'
import { hash } from './store-changes.ts'

/** Every check of doctor, of what a transaction sees. */
export function healthOf(tx: CheckTx): Promise<CheckResult[]> {
  return checkMemory(tx, { hash })
}
