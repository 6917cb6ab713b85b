import { Worker } from 'node:worker_threads'
import { MemoryError } from '../../core/errors.ts'
import { fromFailure } from '../../core/failure.ts'
import { threadFile } from '../../util/files/thread-file.ts'
import type { PoolThread } from '../thread-pool.ts'
import { loadDriver } from './database/driver.ts'
import { translateError } from './database/errors.ts'
import {
  type HostedDatabase,
  sentFailure,
  type Task,
  type ThreadReply,
  type ThreadRequest,
} from './thread-messages.ts'

/** Where the parts come from that a running operation asks for. */
export type Parts = Pick<AsyncIterator<unknown>, 'next' | 'return'>

interface Pending extends PromiseWithResolvers<unknown> {
  kind: Task['kind']
  parts: Parts | undefined
}

/** V8 would let the place of new objects grow to 64 MB in each thread. */
const YOUNG_MB = 16

/** What a task fails with whose thread has ended. */
const LOST: Record<Task['kind'], string> = {
  run: 'the writer has stopped; check whether this was stored, then retry',
  command: 'the writer has stopped; check whether this was stored, then retry',
  query: 'the thread that was to answer has stopped; retry',
  check: 'the checks stopped before their end; retry',
}

/** A thread that writes, reads and checks, with handles on several databases. Only one that works keeps the process alive. */
export interface StoreThread extends PoolThread {
  /** One task at a time. It fails before `onSent` is called where it cannot be sent. */
  ask(database: HostedDatabase, task: Task, options: AskOptions): Promise<unknown>
  /** Whether it has handles on a database. */
  has(id: number): boolean
  /** Has as many as it may: for another it closes one. */
  isFull(): boolean
  /** Closes the handles on a database that no task is running on. */
  release(id: number): Promise<void>
}

export interface AskOptions {
  parts?: Parts | undefined
  onSent?: (() => void) | undefined
}

export interface StoreThreadOptions {
  /** On how many databases it has handles at most. */
  maxDatabases: number
  /** It has ended by itself. */
  onGone: () => void
}

export function startStoreThread({ maxDatabases, onGone }: StoreThreadOptions): StoreThread {
  // In this thread too: a driver that only the worker has is unloaded with it, before the last of its objects are
  // collected, and that is a segmentation fault.
  loadDriver()
  const worker = new Worker(threadFile('store-thread', import.meta.url), {
    // Not those of the program: a flag such as --input-type would stop the thread from loading its file.
    execArgv: [],
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
  })
  worker.unref()
  /** The one that was used last at the end. */
  const opened = new Set<number>()
  const releasing = new Map<number, PromiseWithResolvers<void>>()
  const gone = Promise.withResolvers<void>()
  let pending: Pending | undefined
  let isEnding = false

  worker.on('message', (reply: ThreadReply) => {
    if (reply.kind === 'next part') void sendPart()
    else if (reply.kind === 'released') settleRelease(reply)
    else settle(reply)
  })
  worker.on('error', (error) => lose(translateError(error)))
  worker.on('exit', () => {
    lose()
    gone.resolve()
  })

  /** A thread that fails reports that twice. */
  function lose(error?: unknown): void {
    onGone()
    const asked = finish()
    asked?.reject(error ?? new MemoryError('UNAVAILABLE', LOST[asked.kind]))
    opened.clear()
    // Its handles are closed with it.
    for (const { resolve } of releasing.values()) resolve()
  }
  function settle(reply: Extract<ThreadReply, { kind: 'done' | 'failed' }>): void {
    const asked = finish()
    if (reply.kind === 'done') asked?.resolve(reply.result)
    else asked?.reject(fromFailure(reply.failure))
  }
  function settleRelease({ id, failure }: Extract<ThreadReply, { kind: 'released' }>): void {
    if (failure) releasing.get(id)?.reject(fromFailure(failure))
    else releasing.get(id)?.resolve()
  }
  function finish(): Pending | undefined {
    const asked = pending
    pending = undefined
    keepAlive()
    // The failure of its end comes too late to matter.
    void asked?.parts?.return?.().catch(() => undefined)
    return asked
  }
  function keepAlive(): void {
    if (pending || releasing.size > 0 || isEnding) worker.ref()
    else worker.unref()
  }
  async function sendPart(): Promise<void> {
    const asked = pending
    let request: ThreadRequest
    try {
      request = { kind: 'part', part: (await asked?.parts?.next()) ?? NO_MORE }
    } catch (error) {
      request = { kind: 'no part', failure: sentFailure(error) }
    }
    if (asked === pending) send(request)
  }
  function send(request: ThreadRequest): void {
    worker.postMessage(request)
  }
  /** The database that was not used for longest makes room. */
  function use(id: number): void {
    opened.delete(id)
    const [oldest] = opened
    if (oldest !== undefined && opened.size >= maxDatabases) void release(oldest).catch(() => undefined)
    opened.add(id)
  }
  function release(id: number): Promise<void> {
    if (opened.delete(id)) {
      const released = Promise.withResolvers<void>()
      releasing.set(id, released)
      send({ kind: 'release', id })
      keepAlive()
      void released.promise
        .catch(() => undefined)
        .then(() => {
          if (releasing.get(id) === released) releasing.delete(id)
          keepAlive()
        })
    }
    return releasing.get(id)?.promise ?? Promise.resolve()
  }

  return {
    async ask(database, task, { parts, onSent }) {
      send({ kind: 'task', database, task })
      onSent?.()
      use(database.id)
      pending = { ...Promise.withResolvers<unknown>(), kind: task.kind, parts }
      keepAlive()
      return pending.promise
    },
    has: (id) => opened.has(id),
    isFull: () => opened.size >= maxDatabases,
    release: (id) => (isEnding ? gone.promise : release(id)),
    async end() {
      isEnding = true
      opened.clear()
      send({ kind: 'end' })
      keepAlive()
      await gone.promise
    },
  }
}

export const NO_MORE = { done: true, value: undefined } as const
