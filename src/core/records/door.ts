import type { Store } from '../port/store.ts'
import type { Redact } from '../redact.ts'
import { deleteRecord } from './delete.ts'
import type { RecordDeps } from './document.ts'
import { type QueryRecordsInput, queryRecords, type RecordPage } from './query.ts'
import { type RecordStats, recordStats } from './stats.ts'
import { type StoreRecordInput, storeRecord } from './store.ts'
import { type UpdateRecordInput, updateRecord } from './update.ts'

export interface RecordDoorDeps {
  store: Pick<Store, 'read'>
  redact: Redact
  /** These were asked for: counted and warmed later, never failing. */
  touch: (documentIds: readonly number[]) => void
  /** Resolves when all of that is stored. */
  settled: () => Promise<void>
  /** What writing needs besides. */
  writing: RecordDeps
}

/** What an assistant keeps, and what it can do with it, in the name of one author. */
export function createRecordDoor({ store, redact, touch, settled, writing }: RecordDoorDeps) {
  return {
    store: async (input: StoreRecordInput) => storeRecord(writing, input),
    /** What it gives is accessed by that: the next answer says so. */
    async query(input?: QueryRecordsInput): Promise<RecordPage> {
      await settled()
      const { page, documentIds } = await queryRecords({ store, redact }, input)
      touch(documentIds)
      return page
    },
    async update(input: UpdateRecordInput) {
      await settled()
      return updateRecord(writing, input)
    },
    delete: async (input: { id: string; permanent?: boolean }) => deleteRecord(writing, input),
    async stats(): Promise<RecordStats> {
      await settled()
      return recordStats(store)
    },
  }
}

export type RecordDoor = ReturnType<typeof createRecordDoor>
