import { parentPort, workerData } from 'node:worker_threads'
import type { CheckResult } from '../../core/port/store.ts'
import { loadXxh64 } from '../../util/xxh64.ts'
import type { Context } from './context.ts'
import { runChecks } from './health-run.ts'
import { openReader } from './open.ts'
import { type ThreadFailure, toFailure } from './thread-failure.ts'

/** What the thread is started with. Whose memory it is was known before: a damaged file may no longer tell. */
export interface HealthStart extends Pick<Context, 'spaceId' | 'ownerId' | 'owner'> {
  file: string
}
export type HealthReply = { checks: CheckResult[] } | { failure: ThreadFailure }

const port = parentPort
if (!port) throw new Error('health-thread.ts runs as a worker only')
port.postMessage(await look())

async function look(): Promise<HealthReply> {
  try {
    return { checks: await check(await loadXxh64()) }
  } catch (error) {
    return { failure: toFailure(error) }
  }
}

/** All checks see the same state, whatever is written meanwhile. */
async function check(hash: Awaited<ReturnType<typeof loadXxh64>>): Promise<CheckResult[]> {
  const { file, ...owned } = workerData as HealthStart
  const db = openReader(file)
  try {
    db.exec('BEGIN')
    return await runChecks({ db, hash, now: Date.now, ...owned })
  } finally {
    db.close()
  }
}
