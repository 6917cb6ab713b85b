import { MemoryError } from '../../core/errors.ts'
import { fromFailure } from '../../core/failure.ts'
import type { CheckResult } from '../../core/port/store.ts'
import { threadFile } from '../../util/files/thread-file.ts'
import { createWorkerThread } from '../worker-thread.ts'
import type { Outcome } from '../write-queue.ts'
import type { Job } from './batch.ts'
import { loadDriver } from './database/driver.ts'
import { translateError } from './database/errors.ts'
import {
  type Owned,
  type SentOutcome,
  sentFailure,
  type ThreadReply,
  type ThreadRequest,
  type ThreadStart,
} from './thread-messages.ts'
import type { BatchOptions, Writer } from './writer.ts'

/** The source of the parts that a running operation requests. */
type Parts = Pick<AsyncIterator<unknown>, 'next' | 'return'>

/** Limit of V8's young generation, which could grow to 64 MB in each thread. */
const YOUNG_MB = 16

/** A thread that writes, reads or checks. */
export function createThread(workerData: ThreadStart, lostMessage: string) {
  const { ask, send, end } = createWorkerThread<ThreadRequest, ThreadReply>({
    file() {
      // In this thread too: a driver loaded only by the worker is unloaded with it, before the last of its objects
      // are collected, which is a segmentation fault.
      loadDriver()
      return threadFile('store-thread', import.meta.url)
    },
    options: { workerData, resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB } },
    outcomeOf(reply) {
      if (reply.kind === 'next part') return void sendPart()
      return reply.kind === 'done' ? { result: reply.result } : { error: fromFailure(reply.failure) }
    },
    failed: translateError,
    exited: () => new MemoryError('UNAVAILABLE', lostMessage),
  })
  let source: Parts | undefined
  async function sendPart(): Promise<void> {
    const asked = source
    let request: ThreadRequest
    try {
      request = { kind: 'part', part: (await asked?.next()) ?? NO_MORE }
    } catch (error) {
      request = { kind: 'no part', failure: sentFailure(error) }
    }
    if (asked === source) send(request)
  }
  async function askWithParts(request: ThreadRequest, parts: Parts): Promise<unknown> {
    source = parts
    try {
      return await ask(request)
    } finally {
      source = undefined
      // The outcome is decided: a failure to close the source is ignored.
      void parts.return?.().catch(() => undefined)
    }
  }
  return { ask, askWithParts, close: () => end({ kind: 'close' }) }
}

/** The writer in a thread of its own: waiting for the disk blocks no other work. */
export function createThreadWriter(start: ThreadStart): Writer {
  const { ask, askWithParts, close } = createThread(
    start,
    'the writer has stopped; check whether this was stored, then retry',
  )
  async function run(jobs: readonly Job[], options: BatchOptions): Promise<Outcome[]> {
    const source = jobs[0]?.source && watched(jobs[0].source)
    const named = jobs.map((job) => ({
      ...{ name: job.operation.name, input: job.input, hasSource: job.source !== undefined },
    }))
    const request = { kind: 'run', jobs: named, options } as const
    let answer: Promise<unknown>
    try {
      answer = source ? askWithParts(request, source) : ask(request)
    } catch (error) {
      // A job cannot be cloned: run the first alone, or report it.
      return jobs.length > 1 ? run(jobs.slice(0, 1), options) : [{ error }]
    }
    return ((await answer) as SentOutcome[]).map((outcome) =>
      'failure' in outcome ? (source?.broken() ?? { error: fromFailure(outcome.failure) }) : outcome,
    )
  }
  return { run, command: async (name, ...args) => ask({ kind: 'command', name, args }), close }
}

const NO_MORE = { done: true, value: undefined } as const

/** Keeps the error of a source: the caller gets its own error, not a copy that passed through the thread. */
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

/** Runs every check in a thread of its own: they read the whole file, which would block this thread. */
export async function checkInThread(file: string, owned: Owned): Promise<CheckResult[]> {
  const { ask, close } = createThread({ options: { file } }, 'the checks stopped before their end; retry')
  try {
    return (await ask({ kind: 'check', owned })) as CheckResult[]
  } finally {
    await close()
  }
}
