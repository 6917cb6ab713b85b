import { type Preparation, type Prepare, prepareInPlace } from '../../core/prepare.ts'
import type { Redactor } from '../../ingest/redact/redactor.ts'
import { closedError } from '../../store/call-errors.ts'
import { createPrepareThreads, type PrepareThreads } from './prepare-threads.ts'
import { loadPrepareTools } from './prepare-tools.ts'

/** A longer text would block everything else in this process. */
const IN_PLACE_LENGTH = 256 * 1024
/** The same where clients of many memories wait for it: a text of this length takes about a millisecond. */
const SHARED_IN_PLACE_LENGTH = 16 * 1024

export interface PreparerOptions {
  redaction: Redactor
  maxNodeTokens: number
  /** Threads shared with other memories. Default: its own thread. */
  threads?: PrepareThreads | undefined
  /** Longer texts are prepared in a thread. In characters. */
  inPlaceLength?: number
}

export interface Preparer {
  /** A preparation aborted before its turn in a thread never starts. */
  prepare<I, O>(preparation: Preparation<I, O>, input: I, signal?: AbortSignal): Promise<O>
  /** Running preparations in a thread fail immediately. */
  close(): Promise<void>
}

/** Prepares texts for storage: in place, or in a thread if they are long. */
export function createPreparer(options: PreparerOptions): Preparer {
  const { redaction, maxNodeTokens } = options
  const { inPlaceLength = options.threads ? SHARED_IN_PLACE_LENGTH : IN_PLACE_LENGTH } = options
  const threads = options.threads ?? createPrepareThreads()
  const settings = { redaction: redaction.settings, maxNodeTokens }
  const leaving = new AbortController()
  const running = new Set<Promise<unknown>>()
  let inPlace: Promise<Prepare> | undefined

  function prepareInThread(name: string, input: unknown, signal?: AbortSignal): Promise<unknown> {
    const prepared = threads
      .prepare({ name, input, settings }, leaving.signal, { signal, client: leaving })
      .finally(() => running.delete(prepared))
    running.add(prepared)
    return prepared
  }
  return {
    async prepare<I, O>(preparation: Preparation<I, O>, input: I, signal?: AbortSignal): Promise<O> {
      if (preparation.lengthOf(input) > inPlaceLength)
        return prepareInThread(preparation.name, input, signal) as Promise<O>
      inPlace ??= loadPrepareTools(redaction, { maxNodeTokens }).then(prepareInPlace)
      return (await inPlace)(preparation, input)
    },
    async close() {
      leaving.abort(closedError())
      await Promise.allSettled(running)
      if (!options.threads) await threads.close()
    },
  }
}
