import type { AuditHead } from '../port/audit.ts'
import type { Operation, OperationTools, ReadTx, WriteTx } from '../port/store.ts'
import type { WriteSet } from '../port/write-set.ts'
import { type AuditFacts, linkEntries, NO_ENTRIES } from './chain.ts'

export async function auditHead(tx: Pick<ReadTx, 'scan'>): Promise<AuditHead> {
  return (await tx.scan('auditHead', { limit: 1 }))[0] ?? NO_ENTRIES
}

/**
 * Adds entries at the end of the chain, in the transaction of the changes that they describe. `head`: the current one.
 * `changes`: what to report, if the transaction reports nothing else.
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

/** Records events that are not writes: reads, and restores. */
export const recordEvents: Operation<{ events: AuditFacts[] }, void> = {
  name: 'record-events',
  async run(tx, { events }, { sha256 }) {
    await appendAudit(tx, events, { head: await auditHead(tx), sha256, changes: ['audit'] })
  },
}
