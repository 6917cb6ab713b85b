import { describe, onTestFinished } from 'vitest'
import type { Engine } from '../../src/core/port/store.ts'
import { auditContract } from './store-audit.ts'
import { coldContract } from './store-cold.ts'
import { doctorContract } from './store-doctor.ts'
import { documentContract } from './store-documents.ts'
import { doorHeadContract } from './store-door-heads.ts'
import { doorContract } from './store-doors.ts'
import { erasureContract } from './store-erasure.ts'
import { expiredContract } from './store-expired.ts'
import { fileContract } from './store-facts.ts'
import { feedContract } from './store-feed.ts'
import { heatContract } from './store-heat.ts'
import { historyContract } from './store-history.ts'
import { leaseContract } from './store-leases.ts'
import { linkContract } from './store-links.ts'
import { maintenanceContract } from './store-maintenance.ts'
import { modelContract } from './store-model.ts'
import { nodeContract } from './store-nodes.ts'
import { orderContract } from './store-orders.ts'
import { outlineContract } from './store-outline.ts'
import { pruneContract } from './store-prune.ts'
import { rowContract } from './store-rows.ts'
import { searchContract } from './store-search.ts'
import { summaryContract } from './store-summary.ts'
import { transactionContract } from './store-transactions.ts'
import { transferContract } from './store-transfer.ts'
import { tripContract } from './store-trips.ts'
import { userCountContract } from './store-user-counts.ts'
import { writeTripContract } from './store-write-trips.ts'

/** Opens an empty memory, closed again when the test ends. */
export type OpenEmpty = () => Promise<Engine>

/** What not every engine can do. A test that needs one of these asks for it, and tests what the others do instead. */
export interface Capabilities {
  /** It keeps a memory in files: they can be copied, and what is erased stays in them until it is overwritten (`scrub`). */
  files: boolean
}

/**
 * What every engine behind the store port must do, in parts: each is a test file of its own, so that they run beside each
 * other. `open` gives an engine over an empty memory of its own.
 */
export const STORE_CONTRACT = {
  'what is stored': (open, can) => {
    const openEmpty = closedAfterTest(open)
    describe('documents', () => documentContract(openEmpty))
    describe('documents of doors', () => doorContract(openEmpty, can))
    describe('documents of doors without their texts', () => doorHeadContract(openEmpty))
    describe('what users created', () => userCountContract(openEmpty))
    describe('what has expired', () => expiredContract(openEmpty))
    describe('facts of files', () => fileContract(openEmpty))
    describe('nodes', () => nodeContract(openEmpty))
    describe('nodes in an order', () => orderContract(openEmpty))
    describe('outline', () => outlineContract(openEmpty))
    describe('links', () => linkContract(openEmpty))
    describe('summary', () => summaryContract(openEmpty))
    describe('search', () => searchContract(openEmpty))
    describe('round trips', () => tripContract(openEmpty))
    describe('round trips of writes', () => writeTripContract(openEmpty))
  },
  'what comes with time': (open, can) => {
    const openEmpty = closedAfterTest(open)
    describe('history', () => historyContract(openEmpty, can))
    describe('pruned history', () => pruneContract(openEmpty, open))
    describe('heat', () => heatContract(openEmpty))
    describe('what is cold', () => coldContract(openEmpty, open))
    describe('leases', () => leaseContract(openEmpty))
    describe('the feed of changes', () => feedContract(openEmpty))
  },
  'the whole memory': (open, can) => {
    const openEmpty = closedAfterTest(open)
    describe('erasure', () => erasureContract(openEmpty))
    describe('transactions', () => transactionContract(openEmpty))
    describe('transfer', () => transferContract(openEmpty))
    describe('rows', () => rowContract(openEmpty))
    describe('audit', () => auditContract(openEmpty))
    describe('doctor', () => doctorContract(openEmpty))
    describe('maintenance', () => maintenanceContract(openEmpty, can))
    describe('any sequence of changes', () => modelContract(open))
  },
} satisfies Record<string, (open: OpenEmpty, can: Capabilities) => void>

function closedAfterTest(open: OpenEmpty): OpenEmpty {
  return async () => {
    const engine = await open()
    onTestFinished(() => engine.close())
    return engine
  }
}
