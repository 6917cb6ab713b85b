import type { Hash64 } from '../../core/digest.ts'
import { openHandle, openTx, type Query, type Reader } from './readers.ts'

/** So many questions are answered in this thread: who asks more has much to do, and others wait for this thread. */
const AHEAD = 16

/** The first questions of a transaction that has changed nothing yet. */
export interface ReadAhead {
  /** Undefined: only the writer can answer, from now on. */
  ask(question: string, args: unknown[]): Promise<unknown> | undefined
  end(): void
}

/**
 * A handle for what writes ask before they write. It always reads just after somebody wrote, and then a file that is mapped
 * would be mapped anew, page by page: twice as slow as reading it. Writes come one after the other, so one handle will do.
 */
export function createAheadReader(file: string, hash: Hash64) {
  let reader: Reader | undefined
  return {
    /** Undefined: what can be read is a copy (see `openReader`), and it does not learn of what is written. */
    open(): ReadAhead | undefined {
      reader ??= openHandle(file, hash, { isMapped: false })
      if (!reader.db.memory) return readAhead(reader)
      reader.db.close()
      reader = undefined
      return undefined
    },
    close(): void {
      reader?.db.close()
    },
  }
}

export type AheadReader = ReturnType<typeof createAheadReader>

export function readAhead({ db, methods, begin, rollback }: Reader): ReadAhead {
  const { tx, refuse } = openTx(methods, AHEAD)
  let left = AHEAD
  let isOpen = true
  begin.run()
  function end(): void {
    if (!isOpen) return
    isOpen = false
    refuse()
    // A disk that fails ends it by itself.
    if (db.inTransaction) rollback.run()
  }
  return {
    ask(question, args) {
      if (!isOpen) return undefined
      const method = (methods as Record<string, Query>)[question]
      if (method && left-- > 0) return method.apply(tx, args) as Promise<unknown>
      end()
      return undefined
    },
    end,
  }
}
