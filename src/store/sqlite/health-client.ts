import { Worker } from 'node:worker_threads'
import { MemoryError } from '../../core/errors.ts'
import type { CheckResult } from '../../core/port/store.ts'
import { threadFile } from '../../util/thread-file.ts'
import { loadDriver } from './driver.ts'
import type { HealthReply, HealthStart } from './health-thread.ts'
import { fromFailure } from './thread-failure.ts'

/**
 * Runs every check in a thread of its own: they read the whole file, and whoever else uses this process must not wait for
 * that. The thread ends with the answer.
 */
export function checkHealth(start: HealthStart): Promise<CheckResult[]> {
  // In this thread too: see `writer-client.ts`.
  loadDriver()
  const answer = Promise.withResolvers<CheckResult[]>()
  const worker = new Worker(threadFile('health-thread', import.meta.url), {
    workerData: start,
    execArgv: [],
  })
  let reply: HealthReply | undefined
  worker.on('message', (message: HealthReply) => {
    reply = message
  })
  worker.on('error', answer.reject)
  // Only now its handle is closed.
  worker.on('exit', () => {
    if (reply === undefined)
      answer.reject(new MemoryError('UNAVAILABLE', 'the checks stopped before their end; retry'))
    else if ('failure' in reply) answer.reject(fromFailure(reply.failure))
    else answer.resolve(reply.checks)
  })
  return answer.promise
}
