import type { Database } from 'better-sqlite3'
import type { Hash64 } from '../../core/digest.ts'
import { runOperation } from '../../core/operations/run-operation.ts'
import type { Operation, WriteTx } from '../../core/port/store.ts'
import { monotonicMs } from '../../util/monotonic.ts'
import { sha256 } from '../../util/text/sha256.ts'
import { abortError } from '../call-errors.ts'
import { inTx, NO_PARTS, txMethods } from '../tx.ts'
import type { Outcome } from '../write-queue.ts'
import type { CallStates } from './call-state.ts'
import { translateError } from './database/errors.ts'
import { openContext } from './database/open.ts'
import { statement } from './database/statements.ts'
import { writeQueries } from './transaction.ts'

/** An operation that is to run. */
export interface Job {
  operation: Operation<never, unknown>
  input: unknown
  /** Only of a job that is a batch by itself. */
  source?: AsyncIterable<unknown> | undefined
  /** The file of what it takes over. Only of a job that is a batch by itself. */
  staged?: string | undefined
}

/** A job at its place in a batch. */
interface PlacedJob extends Job {
  place: number
  now: number
}

/** No operation of a batch begins later than this after the first: other processes wait for the lock. */
const BATCH_MS = 25

interface BatchParts {
  db: Database
  hash: Hash64
  calls: CallStates
  /** False: another process has the lock. */
  tryBegin(): boolean
}

/**
 * Runs jobs in the open transaction and commits it: one sync to disk for all of them. Returns the outcomes of the first ones; the
 * others did not run.
 */
export function batchRuns({ db, hash, calls, tryBegin }: BatchParts) {
  const queries = writeQueries(openContext(db, hash, Date.now))
  const methods = txMethods(queries)
  const commit = db.prepare('COMMIT')
  const savepoint = statement(db, 'SAVEPOINT operation')
  const release = statement(db, 'RELEASE operation')
  const rollBackOperation = statement(db, 'ROLLBACK TO operation')

  /** Undefined: the transaction itself failed, and the job that caused it is unknown. */
  async function runTogether(jobs: readonly PlacedJob[]): Promise<Outcome[] | undefined> {
    const until = monotonicMs() + BATCH_MS
    const outcomes: Outcome[] = []
    try {
      for (const job of jobs) {
        if (outcomes.length > 0 && monotonicMs() > until) break
        outcomes.push(await runInSavepoint(job))
      }
      commit.run()
      return outcomes
    } catch (error) {
      rollBack(error)
      return undefined
    }
  }
  async function runInSavepoint(job: PlacedJob): Promise<Outcome> {
    savepoint().run()
    try {
      const result = await perform(job)
      release().run()
      return { result }
    } catch (error) {
      // SQLite itself rolls back the whole transaction if the disk is full or fails.
      if (!db.inTransaction) throw error
      rollBackOperation().run()
      release().run()
      return { error: translateError(error) }
    }
  }
  async function runEach(jobs: readonly PlacedJob[]): Promise<Outcome[]> {
    const outcomes: Outcome[] = []
    for (const job of jobs) {
      if (!tryBegin()) break
      outcomes.push(await runAlone(job))
    }
    return outcomes
  }
  /** Without a savepoint: each one makes the search index flush its words. */
  async function runAlone(job: PlacedJob): Promise<Outcome> {
    try {
      const result = await perform(job)
      commit.run()
      return { result }
    } catch (error) {
      rollBack(error)
      return { error: translateError(error) }
    }
  }
  async function perform({ operation, input, source = NO_PARTS, now, place }: PlacedJob): Promise<unknown> {
    // The caller of a cancelled call has its own error by then.
    if (!calls.begin(place)) throw abortError(undefined)
    queries.begin()
    const result = await inTx<WriteTx, unknown>(methods, (tx) =>
      runOperation(operation, tx, input as never, { hash, sha256, source, now }),
    )
    queries.finish()
    if (!calls.finish(place)) throw abortError(undefined)
    return result
  }
  /** The caller sees the first failure; a failed rollback becomes its cause, if it has no other. */
  function rollBack(error: unknown): void {
    try {
      if (db.inTransaction) db.exec('ROLLBACK')
    } catch (second) {
      if (error instanceof Error && error.cause === undefined && Object.isExtensible(error))
        error.cause = second
    }
  }

  return async (jobs: readonly Job[], now: number): Promise<Outcome[]> => {
    const placed = jobs.map((job, place) => ({ ...job, place, now }))
    const [first] = placed
    if (first && placed.length === 1) return [await runAlone(first)]
    return (await runTogether(placed)) ?? (await runEach(placed))
  }
}
