import type { ReadChain } from '../../core/audit/read-chain.ts'
import { continues, type KnownEnd } from '../../core/audit/verify.ts'
import { MemoryError } from '../../core/errors.ts'
import { type SetTimer, setIdleTimer, startLoop } from '../timing/timer.ts'
import { readAuditHead, writeAuditHead } from './audit-head.ts'

export interface AuditKeeperParts {
  /** Where the head is kept. */
  folder: string
  read: ReadChain
  trim(before: number): Promise<void>
  /** Undefined: nothing is removed. */
  retentionMs: number | undefined
  now: () => number
  onError: (error: unknown) => void
  setTimer?: SetTimer
}

const DELAY_MS = 500
const TRIM_EVERY_MS = 3_600_000

/** Keeps the head of an audit apart, and removes what is too old, now and every hour. */
export function createAuditKeeper(parts: AuditKeeperParts) {
  const { folder, read, trim, retentionMs, now, onError, setTimer = setIdleTimer } = parts
  let cancel: (() => void) | undefined
  let isDue = false
  let writing = Promise.resolve()
  let kept: KnownEnd | undefined

  const trimming =
    retentionMs === undefined
      ? undefined
      : startLoop(() => trim(now() - retentionMs).catch(onError), { waitMs: () => TRIM_EVERY_MS, setTimer })

  async function keep(): Promise<void> {
    if (!isDue) return
    isDue = false
    try {
      kept ??= readAuditHead(folder)
      const { head, isSound } = await read(async (chain) => ({
        head: chain.head,
        isSound: !kept || (await continues(chain, kept)),
      }))
      if (!isSound) throw broken()
      if (head.number === (kept?.number ?? 0)) return
      await writeAuditHead(folder, head)
      kept = head
    } catch (error) {
      onError(error)
    }
  }

  function flush(): Promise<void> {
    cancel?.()
    cancel = undefined
    writing = writing.then(keep)
    return writing
  }

  return {
    /** Entries were added. */
    changed(): void {
      isDue = true
      cancel ??= setTimer(() => void flush(), DELAY_MS)
    },
    /** While the chain can still be read. */
    async close(): Promise<void> {
      await trimming?.stop()
      await flush()
    },
  }
}

/** What is kept stays as it is: `verify` finds out more by it. */
function broken(): MemoryError {
  return new MemoryError(
    'CORRUPTED_DATA',
    'the audit no longer has the end that it had; run `remindb audit verify`',
  )
}
