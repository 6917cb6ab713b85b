import { type Preparation, type Prepare, prepareInPlace } from '../../core/prepare.ts'
import type { Redactor } from '../../ingest/redact/redactor.ts'
import { closedError } from '../../store/call-errors.ts'
import { createPrepareThreads, type PrepareThreads } from './prepare-threads.ts'
import { loadPrepareTools } from './prepare-tools.ts'

/** What is longer would keep everybody else who uses this process waiting. */
const IN_PLACE_LENGTH = 256 * 1024

export interface PreparerOptions {
  redaction: Redactor
  maxNodeTokens: number
  /** Those that it shares with other memories. Default: one of its own. */
  threads?: PrepareThreads | undefined
  /** What is longer is prepared in a thread. In characters. */
  inPlaceLength?: number
}

export interface Preparer {
  /** What is aborted before its turn in a thread never begins. */
  prepare<I, O>(preparation: Preparation<I, O>, input: I, signal?: AbortSignal): Promise<O>
  /** What was given to a thread fails at once. */
  close(): Promise<void>
}

/** Prepares texts to be stored: in place, or where they are long in a thread. */
export function createPreparer(options: PreparerOptions): Preparer {
  const { redaction, maxNodeTokens, inPlaceLength = IN_PLACE_LENGTH } = options
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
