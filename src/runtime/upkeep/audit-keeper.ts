import { dirname } from 'node:path'
import type { Chain, ReadChain } from '../../core/audit/read-chain.ts'
import { oldUpTo } from '../../core/audit/retention.ts'
import { continues, type KnownEnd } from '../../core/audit/verify.ts'
import { MemoryError } from '../../core/errors.ts'
import { type SetTimer, setIdleTimer, startLoop } from '../timing/timer.ts'
import { readAuditHead, writeAuditHead } from './audit-head.ts'

export interface AuditKeeperParts {
  /** Where the end is kept. */
  folder: string
  read: ReadChain
  /** Removes entries from the first up to this number. */
  trim(upTo: number): Promise<void>
  /** Undefined: nothing is removed. */
  retentionMs: number | undefined
  now: () => number
  onError: (error: unknown) => void
  setTimer?: SetTimer
}

const DELAY_MS = 500
const TRIM_EVERY_MS = 3_600_000

/** Keeps the end of an audit apart, and removes what is too old, now and every hour. */
export function createAuditKeeper(parts: AuditKeeperParts) {
  const { folder, read, trim, retentionMs, now, onError, setTimer = setIdleTimer } = parts
  let cancel: (() => void) | undefined
  /** The process before this one may have been killed. */
  let isDue = true
  let work = Promise.resolve()
  /** What this process removed, or is about to. */
  let removed = 0
  let isBroken = false

  const trimming =
    retentionMs === undefined
      ? undefined
      : startLoop(() => inTurn(() => removeOld(retentionMs)), { waitMs: () => TRIM_EVERY_MS, setTimer })

  /** One after the other. Never fails. */
  function inTurn(task: () => Promise<void>): Promise<void> {
    work = work.then(task).catch(report)
    return work
  }

  /** Once, and not again with every entry. */
  function report(error: unknown): void {
    const wasBroken = isBroken
    isBroken = error instanceof BrokenAudit
    if (!(wasBroken && isBroken)) onError(error)
  }

  async function keep(): Promise<void> {
    if (!isDue) return
    isDue = false
    await follow(async () => undefined)
  }

  async function removeOld(olderThanMs: number): Promise<void> {
    const time = now()
    let upTo = 0
    await follow(async (chain) => {
      upTo = await oldUpTo(chain, { before: time - olderThanMs, now: time })
      if (upTo > chain.head.removedNumber) removed = Math.max(removed, upTo)
      else upTo = 0
    })
    if (upTo > 0) await trim(upTo)
  }

  /** Keeps the end of the chain apart, if it continues the one that is kept. */
  async function follow(look: (chain: Chain) => Promise<unknown>): Promise<void> {
    const { kept, head } = await readSound(look)
    const { number, hash, removedNumber } = head
    const end = { number, hash, removed: Math.max(removed, kept?.removed ?? removedNumber) }
    const isKept = kept?.number === end.number && kept.removed === end.removed
    if (end.number > 0 && !isKept) await writeAuditHead(folder, end)
    isBroken = false
  }

  async function readSound(look: (chain: Chain) => Promise<unknown>): Promise<Pick<Chain, 'head'> & Kept> {
    for (let kept = readAuditHead(folder); ; ) {
      const known = kept
      const { head, isSound } = await read(async (chain) => {
        const isSound = !known || (await continues(chain, announced(known)))
        if (isSound) await look(chain)
        return { head: chain.head, isSound }
      })
      if (isSound) return { kept, head }
      // Another process may have written it meanwhile.
      kept = readAuditHead(folder)
      if (kept?.number === known?.number && kept?.removed === known?.removed) throw new BrokenAudit()
    }
  }

  /** Another process that did not know of it yet may have written the file since. */
  function announced(kept: KnownEnd): KnownEnd {
    return kept.removed === undefined ? kept : { ...kept, removed: Math.max(kept.removed, removed) }
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

  function flush(): Promise<void> {
    cancel?.()
    cancel = undefined
    return inTurn(keep)
  }
}

export interface KeptAuditParts extends Omit<AuditKeeperParts, 'folder' | 'retentionMs'> {
  /** The end is kept beside it. */
  db: string
  retentionMs?: number
  /** Calls it after every change. */
  watch(onChange: () => void): () => void
}

/** Keeps the audit of an open memory until it is stopped. */
export function keepAudit({ db, watch, retentionMs, ...parts }: KeptAuditParts): { stop(): Promise<void> } {
  const keeper = createAuditKeeper({ ...parts, folder: dirname(db), retentionMs })
  const stopWatching = watch(keeper.changed)
  return {
    async stop() {
      stopWatching()
      await keeper.close()
    },
  }
}

interface Kept {
  kept: KnownEnd | undefined
}

/** The stored end stays as it is: `verify` needs it. */
class BrokenAudit extends MemoryError {
  constructor() {
    super('CORRUPTED_DATA', 'entries of the audit were removed or replaced; run `remindb audit verify`')
  }
}
