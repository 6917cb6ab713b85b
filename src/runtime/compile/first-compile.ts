import { randomUUID } from 'node:crypto'
import type { CompileProgress } from '../../core/compile/compile-progress.ts'
import { dropLease, holdLease } from '../../core/heat/leases.ts'
import type { Store } from '../../core/port/store.ts'
import { findLease } from '../../core/rows/leases.ts'

export const FIRST_COMPILE_LEASE = 'first-compile'

/** A process that died while it read is believed for this long. */
const READING_MS = 60_000
/** While it writes it cannot report anything. */
const WRITING_MS = 10 * 60_000
const REPORT_EVERY_MS = 1000
/** Before it is known how many files there are. */
export const LISTING: CompileProgress = { phase: 'read', done: 0, total: 0 }
/** Not worth a wait: it is only for others to see. */
const IN_PASSING = { wait: false, durable: false }

interface FirstCompileParts {
  store: Pick<Store, 'read' | 'write'>
  now: () => number
}

type OnProgress = (progress: CompileProgress) => void

/** How far the first compile of a memory is, in whichever process; undefined when there is none, or something is stored already. */
export function findFirstCompile({ store, now }: FirstCompileParts): Promise<CompileProgress | undefined> {
  return store.read(async (tx) => {
    if ((await tx.state()).head) return undefined
    const lease = await findLease(tx, FIRST_COMPILE_LEASE, now())
    return lease && progressOf(lease.detail)
  })
}

/** Does `work`, a compile. In a memory that holds nothing yet every process can see how far it is. */
export async function announceFirstCompile<T>(
  { store, now }: FirstCompileParts,
  onProgress: OnProgress = () => undefined,
  work: (onProgress: OnProgress) => Promise<T>,
): Promise<T> {
  if ((await store.read((tx) => tx.state())).head) return work(onProgress)
  const lease = { name: FIRST_COMPILE_LEASE, holder: randomUUID() }
  let reportedAt = Number.NEGATIVE_INFINITY
  let reported = Promise.resolve()

  async function report(progress: CompileProgress, ttlMs: number): Promise<void> {
    reportedAt = now()
    const input = { ...lease, ttlMs, now: reportedAt, told: { detail: JSON.stringify(progress) } }
    await store.write(holdLease, input, IN_PASSING).catch(() => undefined)
  }
  function follow(progress: CompileProgress): void {
    const { phase, done, total } = progress
    const isRead = phase === 'read' && total > 0 && done === total
    const isDue = phase === 'read' && now() - reportedAt >= REPORT_EVERY_MS
    if (isRead || isDue)
      reported = reported.then(() => report({ ...progress }, isRead ? WRITING_MS : READING_MS))
    onProgress(progress)
  }
  await report(LISTING, READING_MS)
  try {
    return await work(follow)
  } finally {
    await reported
    await store.write(dropLease, lease, IN_PASSING).catch(() => undefined)
  }
}

/** Databases may come from strangers. */
function progressOf(detail: string | null): CompileProgress {
  try {
    const { phase, done, total } = JSON.parse(detail ?? '')
    const isProgress = Number.isInteger(done) && Number.isInteger(total)
    return isProgress ? { phase: phase === 'write' ? 'write' : 'read', done, total } : LISTING
  } catch {
    return LISTING
  }
}
