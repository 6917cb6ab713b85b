import { Worker } from 'node:worker_threads'
import { MemoryError } from '../../core/errors.ts'
import type { Operation } from '../../core/port/store.ts'
import { threadFile } from '../../util/thread-file.ts'
import { loadDriver } from './driver.ts'
import { translateError } from './errors.ts'
import { newSharedCall, sharedCallOf } from './shared-call.ts'
import { fromFailure, toFailure } from './thread-failure.ts'
import type { RunOptions, WriterCommand, WriterSettings } from './writer.ts'
import type { WriterReply, WriterRequest, WriterStart } from './writer-thread.ts'

/** The writer, wherever it runs. Callers hand over one request at a time. */
export interface WriterClient {
  run<I, O>(operation: Operation<I, O>, input: I, options: RunOptions): Promise<O>
  command(name: WriterCommand, ...args: unknown[]): Promise<unknown>
  /** Gives up the request that runs. False: it is being committed already. */
  cancel(): boolean
  /** As `SharedCall` has them. */
  lockWaitMs(): number
  limitLockWait(ms: number): void
  close(): Promise<void>
}

interface Pending {
  resolve(value: unknown): void
  reject(error: unknown): void
  parts: AsyncIterator<unknown> | undefined
  /** Why there are no more parts. */
  partsError?: { error: unknown }
}

/** The writer in a thread of its own. It starts with the first request. */
export function createThreadWriter(settings: WriterSettings): WriterClient {
  const shared = newSharedCall()
  const call = sharedCallOf(shared)
  let thread: Worker | undefined
  let pending: Pending | undefined

  function start(): Worker {
    // In this thread too: a driver that only the worker has is unloaded with it, before the last of its objects are
    // collected, and that is a segmentation fault.
    loadDriver()
    const worker = new Worker(threadFile('writer-thread', import.meta.url), {
      workerData: { settings, shared } satisfies WriterStart,
      // Not those of the program: a flag such as --input-type would stop the thread from loading its file.
      execArgv: [],
    })
    worker.on('message', (reply: WriterReply) => {
      if (thread !== worker) return
      if (reply.kind === 'more') void sendPart(worker)
      else settle(reply)
    })
    worker.on('error', (error) => lose(worker, translateError(error)))
    worker.on('exit', () =>
      lose(
        worker,
        new MemoryError('UNAVAILABLE', 'the writer has stopped; look whether this was stored, and try again'),
      ),
    )
    return worker
  }
  /** Only a request that runs keeps the process alive. */
  function startIdle(): Worker {
    const worker = start()
    worker.unref()
    return worker
  }
  /** A thread that fails tells so twice, and when it ends another may have taken over: that one's request is not lost. */
  function lose(worker: Worker, error: unknown): void {
    if (thread !== worker) return
    thread = undefined
    finish()?.reject(error)
  }
  function settle(reply: Extract<WriterReply, { kind: 'done' | 'failed' }>): void {
    thread?.unref()
    const asked = finish()
    if (reply.kind === 'done') asked?.resolve(reply.result)
    else asked?.reject(asked.partsError ? asked.partsError.error : fromFailure(reply.failure))
  }
  function finish(): Pending | undefined {
    const asked = pending
    pending = undefined
    // Its own failure comes too late to matter.
    asked?.parts?.return?.()?.catch(() => undefined)
    return asked
  }
  async function sendPart(worker: Worker): Promise<void> {
    const asked = pending
    if (!asked?.parts) return
    let request: WriterRequest
    try {
      const { done, value } = await asked.parts.next()
      request = done ? { kind: 'part' } : { kind: 'part', part: value }
    } catch (error) {
      asked.partsError = { error }
      request = { kind: 'part-failed', failure: toFailure(error) }
    }
    if (asked === pending) worker.postMessage(request)
  }
  function ask(request: WriterRequest, source?: AsyncIterable<unknown>): Promise<unknown> {
    return new Promise((resolve, reject) => {
      call.reset()
      thread ??= startIdle()
      // Throws for what cannot be sent.
      thread.postMessage(request)
      thread.ref()
      pending = { resolve, reject, parts: source?.[Symbol.asyncIterator]() }
    })
  }

  return {
    run: <I, O>({ name }: Operation<I, O>, input: I, { source, ...options }: RunOptions) =>
      ask({ kind: 'run', name, input, options }, source) as Promise<O>,
    command: (name, ...args) => ask({ kind: 'command', name, args }),
    cancel: call.cancel,
    lockWaitMs: call.lockWaitMs,
    limitLockWait: call.limitLockWait,
    async close() {
      if (!thread) return
      const stopped = new Promise<void>((resolve) => thread?.once('exit', () => resolve()))
      await ask({ kind: 'command', name: 'close', args: [] })
      thread?.ref()
      await stopped
    },
  }
}
