import { given } from '../../util/given.ts'
import { readAt } from '../past/store-at.ts'
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
  /** These were accessed: counted and warmed later; never fails. */
  touch: (documentIds: readonly number[]) => void
  /** Resolves when all accesses are stored. */
  flushAccesses: () => Promise<void>
  /** Dependencies of writes. */
  writing: RecordDeps
}

/** The records of an assistant, signed by one author. */
export function createRecordDoor({ store, redact, touch, flushAccesses, writing }: RecordDoorDeps) {
  return {
    store: async (input: StoreRecordInput) => storeRecord(writing, input),
    /** Counts as an access of each result, unless it is of the past: the next answer shows it. */
    async query(input?: QueryRecordsInput): Promise<RecordPage> {
      await flushAccesses()
      // Only words are looked for in nodes.
      const part = input?.search ? 'all' : 'documents'
      const at = { asOf: input?.asOf, now: writing.now(), part } as const
      const found = await readAt(store, at, (then) => queryRecords({ store: then, redact }, input))
      if (!found.readAt) touch(found.documentIds)
      return { ...found.page, ...given({ readAt: found.readAt }) }
    },
    async update(input: UpdateRecordInput) {
      await flushAccesses()
      return updateRecord(writing, input)
    },
    delete: async (input: { id: string; permanent?: boolean }) => deleteRecord(writing, input),
    async stats(): Promise<RecordStats> {
      await flushAccesses()
      return recordStats(store)
    },
  }
}

export type RecordDoor = ReturnType<typeof createRecordDoor>
