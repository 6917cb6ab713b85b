import { Worker } from 'node:worker_threads'
import { MemoryError } from '../../core/errors.ts'
import { threadFile } from '../../util/thread-file.ts'
import { loadDriver } from './driver.ts'
import { translateError } from './errors.ts'
import { newPatience, patienceOf } from './patience.ts'
import { fromFailure } from './thread-failure.ts'
import type { WriterSettings } from './writer.ts'
import type { WriterCall, WriterMessage, WriterReply, WriterStart } from './writer-thread.ts'

/** From here on the thread has enough to do until the next message comes. */
const LONG = 64

interface Waiting {
  resolve(value: unknown): void
  reject(error: unknown): void
}

/** The writer's thread as seen from this one. It starts with the first call. */
export function createWriterClient(settings: WriterSettings) {
  /** In the order in which they are answered. */
  let sent: Waiting[] = []
  const patience = newPatience()
  let thread: Worker | undefined
  let outbox: WriterCall[] = []
  let unsent: Waiting[] = []
  /** The thread has answers that it keeps until the next message. */
  let isOwed = false

  function start(): Worker {
    // In this thread too: a driver that only the worker has is unloaded with it, before the last of its objects are
    // collected, and that is a segmentation fault.
    loadDriver()
    const worker = new Worker(threadFile('writer-thread', import.meta.url), {
      workerData: { settings, patience } satisfies WriterStart,
      // Not those of the program: a flag such as --input-type would stop the thread from loading its file.
      execArgv: [],
    })
    worker.on('message', (reply: WriterReply) => thread === worker && settle(reply))
    worker.on('error', (error) => lose(worker, translateError(error)))
    worker.on('exit', () =>
      lose(
        worker,
        new MemoryError('UNAVAILABLE', 'the writer has stopped; look whether this was stored, and try again'),
      ),
    )
    return worker
  }
  /** A thread that fails tells so twice, and when it ends another may have taken over: that one's calls are not lost. */
  function lose(worker: Worker, error: unknown): void {
    if (thread === worker) failAll(error)
  }
  function settle({ answers, failures }: WriterReply): void {
    const settled = sent.splice(0, answers.length)
    // Only a call in flight keeps the process alive.
    if (sent.length === 0) thread?.unref()
    for (const failure of failures) settled[failure.at]?.reject(fromFailure(failure))
    for (const [at, { resolve }] of settled.entries()) resolve(answers[at])
  }
  /** Throws nothing: what cannot be sent, or no thread to send it to, fails every call of the message, and so their transaction. */
  function post(isAwaited: boolean): void {
    const [calls, asking] = [outbox, unsent]
    outbox = []
    unsent = []
    if (calls.length === 0 && !(isAwaited && isOwed)) return
    isOwed = !isAwaited
    try {
      thread ??= start()
      thread.postMessage({ calls, isAwaited } satisfies WriterMessage)
      if (sent.length === 0) thread.ref()
      for (const one of asking) sent.push(one)
    } catch (error) {
      for (const { reject } of asking) reject(error)
    }
  }
  function failAll(error: unknown): void {
    thread = undefined
    for (const { reject } of [...sent, ...unsent]) reject(error)
    sent = []
    outbox = []
    unsent = []
    isOwed = false
  }

  return {
    /**
     * A message takes as long as many a statement: calls go together, as soon as there is nothing else to do. One with a
     * long list goes at once, so that the thread works on it while the next is prepared.
     */
    call(command: string, args: unknown[] = []): Promise<unknown> {
      if (outbox.push([command, args]) === 1) process.nextTick(post, true)
      return new Promise((resolve, reject) => {
        unsent.push({ resolve, reject })
        if (args.some((arg) => Array.isArray(arg) && arg.length >= LONG)) post(true)
      })
    },
    /** Sends what was called so far. More follows, and only then there will be answers. */
    sendAhead(): void {
      post(false)
      process.nextTick(post, true)
    },
    limitLockWait: patienceOf(patience).limit,
    async close(): Promise<void> {
      if (!thread) return
      const stopped = new Promise<void>((resolve) => thread?.once('exit', () => resolve()))
      await this.call('close')
      thread?.ref()
      await stopped
    },
  }
}

export type WriterClient = ReturnType<typeof createWriterClient>
