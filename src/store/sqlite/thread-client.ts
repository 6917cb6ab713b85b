import { Worker } from 'node:worker_threads'
import { MemoryError } from '../../core/errors.ts'
import type { CheckResult, Operation } from '../../core/port/store.ts'
import { threadFile } from '../../util/thread-file.ts'
import { newCallState } from './call-state.ts'
import { loadDriver } from './driver.ts'
import { translateError } from './errors.ts'
import {
  fromFailure,
  type Owned,
  type Question,
  type ThreadReply,
  type ThreadRequest,
  type ThreadStart,
  toFailure,
} from './thread-messages.ts'
import type { RunOptions, Writer } from './writer.ts'

/** What callers give while their operation runs. */
interface Answers {
  part(): Promise<IteratorResult<unknown>>
  waitMs(): Promise<number>
  end(): void
}

interface Pending extends PromiseWithResolvers<unknown> {
  answers: Answers | undefined
  /** What a question failed with: the caller's own error, not a copy of it that has travelled. */
  refusal?: { error: unknown }
}

/** A thread that writes, or checks. It starts with the first request; only one that runs keeps the process alive. */
function createThread(start: ThreadStart, lostMessage: string) {
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
    })
    worker.on('message', (reply: ThreadReply) => {
      if (thread !== worker) return
      if (reply.kind === 'question') void answer(worker, reply.question)
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
  function settle(reply: Exclude<ThreadReply, { kind: 'question' }>): void {
    thread?.unref()
    const asked = finish()
    if (reply.kind === 'done') asked?.resolve(reply.result)
    else asked?.reject(asked.refusal ? asked.refusal.error : fromFailure(reply.failure))
  }
  function finish(): Pending | undefined {
    const asked = pending
    pending = undefined
    asked?.answers?.end()
    return asked
  }
  async function answer(worker: Worker, question: Question): Promise<void> {
    const asked = pending
    let request: ThreadRequest
    try {
      request = { kind: 'answer', value: await asked?.answers?.[question]() }
    } catch (error) {
      if (asked) asked.refusal = { error }
      request = { kind: 'refusal', failure: toFailure(error) }
    }
    if (asked === pending) worker.postMessage(request)
  }
  async function ask(request: ThreadRequest, answers?: Answers): Promise<unknown> {
    thread ??= startThread()
    // Throws for what cannot be sent.
    thread.postMessage(request)
    thread.ref()
    pending = { ...Promise.withResolvers<unknown>(), answers }
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

function partsOf(source: AsyncIterable<unknown>): Pick<Answers, 'part' | 'end'> {
  const parts = source[Symbol.asyncIterator]()
  // The failure of its end comes too late to matter.
  return { part: () => parts.next(), end: () => void parts.return?.().catch(() => undefined) }
}

/** The writer in a thread of its own: nobody waits for the disk with it. */
export function createThreadWriter(start: ThreadStart): Writer {
  const { ask, close } = createThread(
    start,
    'the writer has stopped; look whether this was stored, and try again',
  )
  return {
    run: <I, O>({ name }: Operation<I, O>, input: I, { source, waitMs, ...options }: RunOptions) =>
      ask({ kind: 'run', name, input, options }, { ...partsOf(source), waitMs }) as Promise<O>,
    command: (name, ...args) => ask({ kind: 'command', name, args }),
    close,
  }
}

/** Runs every check in a thread of its own: they read the whole file, and nobody else who uses this process waits for that. */
export async function checkInThread(file: string, owned: Owned): Promise<CheckResult[]> {
  const start = { options: { file }, call: newCallState() }
  const { ask, close } = createThread(start, 'the checks stopped before their end; retry')
  try {
    return (await ask({ kind: 'check', owned })) as CheckResult[]
  } finally {
    await close()
  }
}
