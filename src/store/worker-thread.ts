import { Worker, type WorkerOptions } from 'node:worker_threads'
import type { Outcome } from './write-queue.ts'

export interface WorkerThreadParts<Reply> {
  file(): URL
  options: WorkerOptions
  /** Undefined: the thread has not answered yet. */
  outcomeOf(reply: Reply): Outcome | undefined
  /** The error of a request whose thread failed, or exited without an answer. */
  failed(cause: Error): unknown
  exited(code: number): unknown
}

/** A thread that answers one request at a time. It starts with the first request; only one that works keeps the process alive. */
export function createWorkerThread<Request, Reply>(parts: WorkerThreadParts<Reply>) {
  let thread: Worker | undefined
  let pending: PromiseWithResolvers<unknown> | undefined
  /** What else the process stays for. */
  let held = 0

  function start(): Worker {
    // Not the flags of the program: one such as --input-type would stop the thread from loading its file.
    const worker = new Worker(parts.file(), { ...parts.options, execArgv: [] })
    worker.on('message', (reply: Reply) => {
      const outcome = thread === worker ? parts.outcomeOf(reply) : undefined
      if (outcome) settle(outcome)
    })
    worker.on('error', (cause) => lose(worker, () => parts.failed(cause)))
    worker.on('messageerror', (cause) => lose(worker, () => parts.failed(cause)))
    worker.on('exit', (code) => lose(worker, () => parts.exited(code)))
    worker.unref()
    return worker
  }
  /** A failing thread emits both `error` and `exit`. By then a new one may run, whose request must not fail. */
  function lose(worker: Worker, errorOf: () => unknown): void {
    if (thread === worker) void stop(errorOf())
  }
  function settle(outcome: Outcome): void {
    const asked = pending
    pending = undefined
    keepAlive()
    if ('error' in outcome) asked?.reject(outcome.error)
    else asked?.resolve(outcome.result)
  }
  function keepAlive(): void {
    if (pending || held > 0) thread?.ref()
    else thread?.unref()
  }
  /** Ends the thread at once: what it was asked fails with this error. */
  async function stop(error?: unknown): Promise<void> {
    const worker = thread
    thread = undefined
    settle({ error })
    await worker?.terminate()
  }
  /** Throws where it cannot be sent. */
  function ask(request: Request): Promise<unknown> {
    thread ??= start()
    thread.postMessage(request)
    pending = Promise.withResolvers<unknown>()
    keepAlive()
    return pending.promise
  }

  return {
    ask,
    /** More for the request that runs, or something that does not wait for its end. */
    send: (request: Request): void => thread?.postMessage(request),
    /** The process stays until this is settled. */
    hold(work: Promise<unknown>): void {
      const release = (): void => {
        held--
        keepAlive()
      }
      held++
      keepAlive()
      work.then(release, release)
    },
    stop,
    /** Asks the thread to exit and waits until it has. */
    async end(request: Request): Promise<void> {
      const worker = thread
      if (!worker) return
      const exit = new Promise((resolve) => worker.once('exit', resolve))
      await ask(request)
      worker.ref()
      await exit
    },
  }
}
