import { deleteRecord } from './delete-record.ts'
import type { RecordDeps } from './put-record.ts'
import { type QueryRecordsInput, queryRecords, type RecordPage } from './query-records.ts'
import { type RecordStats, recordStats } from './record-stats.ts'
import { type StoreRecordInput, storeRecord } from './store-record.ts'
import { type UpdateRecordInput, updateRecord } from './update-record.ts'

export interface RecordDoorDeps extends RecordDeps {
  /** These were asked for: counted and warmed later, never failing. */
  touch: (documentIds: readonly number[]) => void
  /** Resolves when all of that is stored. */
  settled: () => Promise<void>
}

/** What an assistant keeps, and what it can do with it, in the name of `deps.author`. */
export function createRecordDoor(deps: RecordDoorDeps) {
  return {
    store: (input: StoreRecordInput) => storeRecord(deps, input),
    /** What it gives is accessed by that: the next answer says so. */
    async query(input?: QueryRecordsInput): Promise<RecordPage> {
      await deps.settled()
      const { page, documentIds } = await queryRecords(deps, input)
      deps.touch(documentIds)
      return page
    },
    async update(input: UpdateRecordInput) {
      await deps.settled()
      return updateRecord(deps, input)
    },
    delete: (input: { id: string; permanent?: boolean }) => deleteRecord(deps, input),
    async stats(): Promise<RecordStats> {
      await deps.settled()
      return recordStats(deps.store)
    },
  }
}

export type RecordDoor = ReturnType<typeof createRecordDoor>
