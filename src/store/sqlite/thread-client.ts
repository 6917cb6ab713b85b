import { Worker } from 'node:worker_threads'
import { MemoryError } from '../../core/errors.ts'
import { fromFailure } from '../../core/failure.ts'
import type { CheckResult } from '../../core/port/store.ts'
import { threadFile } from '../../util/files/thread-file.ts'
import type { Job, Outcome } from './batch.ts'
import { newCallStates } from './call-state.ts'
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

/** Where the parts come from that a running operation asks for. */
type Parts = Pick<AsyncIterator<unknown>, 'next' | 'return'>

interface Pending extends PromiseWithResolvers<unknown> {
  parts: Parts | undefined
}

/** V8 would let the place of new objects grow to 64 MB in each thread. */
const YOUNG_MB = 16

/** A thread that writes, reads or checks. It starts with the first request; only one that runs keeps the process alive. */
export function createThread(start: ThreadStart, lostMessage: string) {
  let thread: Worker | undefined
  let pending: Pending | undefined

  function startThread(): Worker {
    // In this thread too: a driver that only the worker has is unloaded with it, before the last of its objects are
    // collected, and that is a segmentation fault.
    loadDriver()
    const worker = new Worker(threadFile('store-thread', import.meta.url), {
      workerData: start,
      // Not those of the program: a flag such as --input-type would stop the thread from loading its file.
      execArgv: [],
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    })
    worker.on('message', (reply: ThreadReply) => {
      if (thread !== worker) return
      if (reply.kind === 'next part') void sendPart(worker)
      else settle(reply)
    })
    worker.on('error', (error) => lose(worker, translateError(error)))
    worker.on('exit', () => lose(worker, new MemoryError('UNAVAILABLE', lostMessage)))
    worker.unref()
    return worker
  }
  /** A thread that fails reports that twice, and when it ends another may have taken over: that one's request is not lost. */
  function lose(worker: Worker, error: unknown): void {
    if (thread !== worker) return
    thread = undefined
    finish()?.reject(error)
  }
  function settle(reply: Exclude<ThreadReply, { kind: 'next part' }>): void {
    thread?.unref()
    const asked = finish()
    if (reply.kind === 'done') asked?.resolve(reply.result)
    else asked?.reject(fromFailure(reply.failure))
  }
  function finish(): Pending | undefined {
    const asked = pending
    pending = undefined
    // The failure of its end comes too late to matter.
    void asked?.parts?.return?.().catch(() => undefined)
    return asked
  }
  async function sendPart(worker: Worker): Promise<void> {
    const asked = pending
    let request: ThreadRequest
    try {
      request = { kind: 'part', part: (await asked?.parts?.next()) ?? NO_MORE }
    } catch (error) {
      request = { kind: 'no part', failure: sentFailure(error) }
    }
    if (asked === pending) worker.postMessage(request)
  }
  /** Throws where it cannot be sent. */
  function ask(request: ThreadRequest, parts?: Parts): Promise<unknown> {
    thread ??= startThread()
    thread.postMessage(request)
    thread.ref()
    pending = { ...Promise.withResolvers<unknown>(), parts }
    return pending.promise
  }

  return {
    ask,
    async close(): Promise<void> {
      if (!thread) return
      const stopped = new Promise<void>((resolve) => thread?.once('exit', () => resolve()))
      await ask({ kind: 'close' })
      thread?.ref()
      await stopped
    },
  }
}

/** The writer in a thread of its own: nobody waits for the disk with it. */
export function createThreadWriter(start: ThreadStart): Writer {
  const { ask, close } = createThread(
    start,
    'the writer has stopped; check whether this was stored, then retry',
  )
  async function run(jobs: readonly Job[], options: BatchOptions): Promise<Outcome[]> {
    const source = jobs[0]?.source && watched(jobs[0].source)
    const named = jobs.map(({ operation, input, source, staged }) => ({
      ...{ name: operation.name, input, hasSource: source !== undefined, staged },
    }))
    let answer: Promise<unknown>
    try {
      answer = ask({ kind: 'run', jobs: named, options }, source)
    } catch (error) {
      // One of several cannot be sent: the first runs alone, or is the one.
      return jobs.length > 1 ? run(jobs.slice(0, 1), options) : [{ error }]
    }
    return ((await answer) as SentOutcome[]).map((outcome) =>
      'failure' in outcome ? (source?.broken() ?? { error: fromFailure(outcome.failure) }) : outcome,
    )
  }
  return { run, command: async (name, ...args) => ask({ kind: 'command', name, args }), close }
}

const NO_MORE = { done: true, value: undefined } as const

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

/** Runs every check in a thread of its own: they read the whole file, and nobody else who uses this process waits for that. */
export async function checkInThread(file: string, owned: Owned): Promise<CheckResult[]> {
  const start = { options: { file }, calls: newCallStates() }
  const { ask, close } = createThread(start, 'the checks stopped before their end; retry')
  try {
    return (await ask({ kind: 'check', owned })) as CheckResult[]
  } finally {
    await close()
  }
}
