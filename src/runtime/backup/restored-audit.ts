import { rmSync } from 'node:fs'
import { auditHead, recordEvents } from '../../core/audit/append.ts'
import { chainOf } from '../../core/audit/read-chain.ts'
import { restoredEvent } from '../../core/audit/restored.ts'
import { continues, type KnownEnd } from '../../core/audit/verify.ts'
import { openSqlite } from '../../store/sqlite/engine.ts'
import { loadXxh64 } from '../../util/text/xxh64.ts'
import { auditHeadFile, readAuditHead, writeAuditHead } from '../upkeep/audit-head.ts'

/** The end of an audit that is kept apart. Undefined where there is none, or somebody changed the file. */
export function keptEnd(folder: string): KnownEnd | undefined {
  try {
    return readAuditHead(folder)
  } catch {
    return undefined
  }
}

export interface RestoredAudit {
  /** A copy that is not in place yet, with the newest schema. */
  db: string
  /** The end that was kept apart in the backup. */
  kept?: KnownEnd | undefined
  /** The end of the audit that is replaced. */
  replaced: KnownEnd | undefined
  now: number
}

/**
 * Records in the audit of a memory that it was restored. Returns the end to be kept apart: where the audit of the backup was changed
 * that is still `kept`, so that it is found out. Undefined: there is no audit.
 */
export async function recordRestored(restored: RestoredAudit): Promise<KnownEnd | undefined> {
  const { db, kept, replaced, now } = restored
  const engine = await openSqlite({ file: db, hash: await loadXxh64(), writer: 'here' })
  try {
    const { number } = await engine.store.read(auditHead)
    if (number === 0 && !replaced && !kept) return undefined
    const isSound = !kept || (await chainOf(engine.store)((chain) => continues(chain, kept)))
    await engine.store.write(recordEvents, { events: [{ at: now, ...restoredEvent(replaced) }] })
    if (!isSound) return kept
    const { removedNumber: removed, ...end } = await engine.store.read(auditHead)
    return { ...end, removed }
  } finally {
    await engine.close()
  }
}

/** Keeps the end apart, of the database that is now in this folder. */
export async function keepEnd(folder: string, end: KnownEnd | undefined): Promise<void> {
  if (end) await writeAuditHead(folder, end)
  else rmSync(auditHeadFile(folder), { force: true })
}
