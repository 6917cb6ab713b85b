import { MemoryError } from '../../core/errors.ts'
import { fromFailure } from '../../core/failure.ts'
import { threadFile } from '../../util/files/thread-file.ts'
import { createWorkerThread } from '../worker-thread.ts'
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

export interface AskOptions {
  parts?: Parts | undefined
  /** Called once the task is on its way. Where that is not so, it cannot be sent. */
  onSent?: (() => void) | undefined
}

export type StoreThread = ReturnType<typeof createStoreThread>

/** V8 would let the place of new objects grow to 64 MB in each thread. */
const YOUNG_MB = 16

/** What a task fails with whose thread has ended. */
const LOST: Record<Task['kind'], string> = {
  run: 'the writer has stopped; check whether this was stored, then retry',
  command: 'the writer has stopped; check whether this was stored, then retry',
  query: 'the thread that was to answer has stopped; retry',
  check: 'the checks stopped before their end; retry',
}

/** A thread that writes, reads and checks, with handles on up to `maxDatabases` databases. */
export function createStoreThread(maxDatabases: number) {
  /** Databases that it has handles on, the one that was used last at the end. */
  const opened = new Set<number>()
  const releasing = new Map<number, PromiseWithResolvers<void>>()
  let running: { kind: Task['kind']; parts: Parts | undefined } | undefined

  const thread = createWorkerThread<ThreadRequest, ThreadReply>({
    file() {
      // In this thread too: a driver that only the worker has is unloaded with it, before the last of its objects are
      // collected, and that is a segmentation fault.
      loadDriver()
      return threadFile('store-thread', import.meta.url)
    },
    options: { resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB } },
    outcomeOf(reply) {
      if (reply.kind === 'next part') return void sendPart()
      if (reply.kind === 'released') return settleRelease(reply)
      return reply.kind === 'done' ? { result: reply.result } : { error: fromFailure(reply.failure) }
    },
    failed(cause) {
      forget()
      return translateError(cause)
    },
    exited() {
      forget()
      return new MemoryError('UNAVAILABLE', LOST[running?.kind ?? 'query'])
    },
  })

  async function sendPart(): Promise<void> {
    const asked = running
    let request: ThreadRequest
    try {
      request = { kind: 'part', part: (await asked?.parts?.next()) ?? NO_MORE }
    } catch (error) {
      request = { kind: 'no part', failure: sentFailure(error) }
    }
    if (asked === running) thread.send(request)
  }
  /** Its handles were closed with it. */
  function forget(): void {
    opened.clear()
    for (const { resolve } of releasing.values()) resolve()
    releasing.clear()
  }
  function settleRelease({ id, failure }: Extract<ThreadReply, { kind: 'released' }>): undefined {
    if (failure) releasing.get(id)?.reject(fromFailure(failure))
    else releasing.get(id)?.resolve()
    releasing.delete(id)
  }
  /** Closes its handles on a database that no task is running on. */
  async function release(id: number): Promise<void> {
    if (opened.delete(id)) {
      const released = Promise.withResolvers<void>()
      releasing.set(id, released)
      thread.send({ kind: 'release', id })
      thread.hold(released.promise)
    }
    await releasing.get(id)?.promise
  }
  /** The database that was not used for longest makes room. */
  function use(id: number): void {
    opened.delete(id)
    const [oldest] = opened
    if (oldest !== undefined && opened.size >= maxDatabases) void release(oldest).catch(() => undefined)
    opened.add(id)
  }

  return {
    /** One task at a time. */
    async ask(database: HostedDatabase, task: Task, { parts, onSent }: AskOptions): Promise<unknown> {
      const answer = thread.ask({ kind: 'task', database, task })
      onSent?.()
      running = { kind: task.kind, parts }
      use(database.id)
      try {
        return await answer
      } finally {
        running = undefined
        // The failure of its end comes too late to matter.
        void parts?.return?.().catch(() => undefined)
      }
    },
    has: (id: number): boolean => opened.has(id),
    /** It has handles on as many databases as it may: for another it closes some. */
    isFull: (): boolean => opened.size >= maxDatabases,
    release,
    async end(): Promise<void> {
      // One that cannot end by itself is gone already.
      await thread.end({ kind: 'end' }).catch(() => undefined)
      forget()
    },
  }
}

export const NO_MORE = { done: true, value: undefined } as const
