import { fromFailure } from '../../core/failure.ts'
import type { Outcome } from '../write-queue.ts'
import type { Job } from './batch.ts'
import { hasJournal } from './database/open.ts'
import type { Hosted } from './store-threads.ts'
import { NO_MORE, type Parts } from './thread.ts'
import type { SentOutcome, Task } from './thread-messages.ts'
import type { BatchOptions, Writer } from './writer.ts'

/** The writer in a thread: nobody waits for the disk with it. */
export function createThreadWriter({ ask, isOpen, close }: Hosted, file: string): Writer {
  let hasOpened = false

  async function run(jobs: readonly Job[], options: BatchOptions): Promise<Outcome[]> {
    const source = jobs[0]?.source && watched(jobs[0].source)
    const named = jobs.map(({ operation, input, source, staged }) => ({
      ...{ name: operation.name, input, hasSource: source !== undefined, staged },
    }))
    let isSent = false
    const onSent = (): void => {
      isSent = true
    }
    try {
      const outcomes = (await ask(
        { kind: 'run', jobs: named, options },
        { parts: source, onSent },
      )) as SentOutcome[]
      hasOpened = true
      return outcomes.map((outcome) =>
        'failure' in outcome ? (source?.broken() ?? { error: fromFailure(outcome.failure) }) : outcome,
      )
    } catch (error) {
      if (isSent) throw error
      // One of several cannot be sent: the first runs alone, or is the one.
      return jobs.length > 1 ? run(jobs.slice(0, 1), options) : [{ error }]
    }
  }

  return {
    run,
    async command(name, ...args) {
      const result = await ask({ kind: 'command', name, args })
      hasOpened = true
      return result
    },
    async close() {
      // The last handle that is closed takes the journal into the database: one that made room for others is opened again.
      if (hasOpened && !isOpen() && hasJournal(file)) await ask(OPEN).catch(() => undefined)
      await close()
    },
  }
}

/** Any command opens the writer. */
const OPEN = { kind: 'command', name: 'migrationBackup', args: [] } as const satisfies Task

/** Remembers what a source failed with: the caller's own error, not a copy of it that has travelled. */
function watched(source: AsyncIterable<unknown>): Parts & { broken(): { error: unknown } | undefined } {
  const parts = source[Symbol.asyncIterator]()
  let broken: { error: unknown } | undefined
  return {
    async next() {
      try {
        return await parts.next()
      } catch (error) {
        broken = { error }
        throw error
      }
    },
    return: async () => (await parts.return?.()) ?? NO_MORE,
    broken: () => broken,
  }
}
