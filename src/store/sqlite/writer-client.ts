import { Worker } from 'node:worker_threads'
import { type ErrorCode, MemoryError } from '../../core/errors.ts'
import { threadFile } from '../../util/thread-file.ts'
import { loadDriver } from './driver.ts'
import { newPatience, patienceOf } from './patience.ts'
import type { WriterSettings } from './writer.ts'
import type { WriterReply, WriterRequest, WriterStart } from './writer-thread.ts'

interface Waiting {
  resolve(value: unknown): void
  reject(error: unknown): void
}

/** The writer's thread as seen from this one. It starts with the first call. */
export function createWriterClient(settings: WriterSettings) {
  const waiting = new Map<number, Waiting>()
  const patience = newPatience()
  let thread: Worker | undefined
  let lastId = 0

  function start(): Worker {
    // In this thread too: a driver that only the worker has is unloaded with it, before the last of its objects are
    // collected, and that is a segmentation fault.
    loadDriver()
    const worker = new Worker(threadFile('writer-thread', import.meta.url), {
      workerData: { settings, patience } satisfies WriterStart,
      // Not those of the program: a flag such as --input-type would stop the thread from loading its file.
      execArgv: [],
    })
    worker.on('message', settle)
    worker.on('error', failAll)
    worker.on('exit', () =>
      failAll(new MemoryError('UNAVAILABLE', 'the writer has stopped; open the memory again')),
    )
    return worker
  }
  function settle(reply: WriterReply): void {
    const call = waiting.get(reply.id)
    waiting.delete(reply.id)
    // Only a call in flight keeps the process alive.
    if (waiting.size === 0) thread?.unref()
    if (reply.ok) call?.resolve(reply.value)
    else call?.reject(toError(reply))
  }
  function failAll(error: unknown): void {
    thread = undefined
    for (const call of waiting.values()) call.reject(error)
    waiting.clear()
  }

  return {
    call(command: string, args: unknown[] = []): Promise<unknown> {
      thread ??= start()
      const worker = thread
      const id = ++lastId
      return new Promise((resolve, reject) => {
        // First: it throws when an argument cannot be sent, and then there is nothing to wait for.
        worker.postMessage({ id, command, args } satisfies WriterRequest)
        worker.ref()
        waiting.set(id, { resolve, reject })
      })
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

function toError(reply: Extract<WriterReply, { ok: false }>): Error {
  const error = reply.code
    ? new MemoryError(reply.code as ErrorCode, reply.message)
    : new Error(reply.message)
  if (reply.stack) error.stack = reply.stack
  return error
}
