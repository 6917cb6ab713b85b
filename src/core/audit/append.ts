import type { AuditEntry, AuditHead } from '../port/audit.ts'
import type { Operation, OperationTools, ReadTx, WriteTx } from '../port/store.ts'
import type { WriteSet } from '../port/write-set.ts'
import { pagesOf } from '../rows/stored-pages.ts'
import { type AuditFacts, linkEntries, NO_ENTRIES } from './chain.ts'

export async function auditHead(tx: Pick<ReadTx, 'scan'>): Promise<AuditHead> {
  return (await tx.scan('auditHead', { limit: 1 }))[0] ?? NO_ENTRIES
}

/**
 * Adds entries at the end of the chain, in the transaction of what they tell of. `head`: as it is now. `changes`: what to
 * report, where the transaction reports nothing else.
 */
export async function appendAudit(
  tx: Pick<WriteTx, 'commit'>,
  facts: readonly AuditFacts[],
  {
    head,
    sha256,
    changes = [],
  }: { head: AuditHead } & Pick<OperationTools, 'sha256'> & Pick<WriteSet, 'changes'>,
): Promise<void> {
  if (facts.length === 0) return
  const audit = linkEntries(head, facts, sha256)
  await tx.commit({ audit, changes })
}

/** Records events that are no writes of the memory: what was read. */
export const recordEvents: Operation<{ events: AuditFacts[] }, void> = {
  name: 'record-events',
  async run(tx, { events }, { sha256 }) {
    await appendAudit(tx, events, { head: await auditHead(tx), sha256, changes: ['audit'] })
  },
}

export interface TrimInput {
  /** Entries before this time are too old, in milliseconds since 1970. */
  before: number
  /** Others wait while it runs. */
  limit: number
}

/** Removes old entries from the beginning of the chain, up to the first that is not. Returns how many. */
export const trimAudit: Operation<TrimInput, number> = {
  name: 'trim-audit',
  async run(tx, { before, limit }) {
    const last = await lastOld(tx, { before, limit })
    if (!last) return 0
    const head = await auditHead(tx)
    const removed = { removedNumber: last.number, removedHash: last.hash }
    await tx.commit({ audit: { head: { ...head, ...removed }, removeUpTo: last.number }, changes: ['audit'] })
    return last.number - head.removedNumber
  },
}

async function lastOld(
  tx: Pick<WriteTx, 'scan'>,
  { before, limit }: TrimInput,
): Promise<AuditEntry | undefined> {
  let last: AuditEntry | undefined
  let seen = 0
  for await (const page of pagesOf(tx, 'audit'))
    for (const entry of page) {
      if (entry.at >= before || seen === limit) return last
      last = entry
      seen++
    }
  return last
}
