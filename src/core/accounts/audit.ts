import type { WriteCaller } from '../access/principal.ts'
import { linkEntries, NO_ENTRIES } from '../audit/chain.ts'
import type { AccountEvent } from '../audit/event-names.ts'
import { OPERATOR } from '../audit/operator.ts'
import { AUDIT_PAGE, type ReadChain } from '../audit/read-chain.ts'
import { restoredEvent } from '../audit/restored.ts'
import type { KnownEnd } from '../audit/verify.ts'
import type { AuditEntry } from '../port/audit.ts'
import type { AccountDeps } from './deps.ts'
import type { AccountReads, AccountTx } from './port.ts'

/**
 * Ids: names can be given to others. Of a member, the ids of the space and of the user, and the role that it gets; of a token, that
 * of its grant.
 */
export interface AccountSubject {
  kind: 'user' | 'space' | 'member' | 'key' | 'client' | 'grant' | 'secret'
  id: string
}

/** Records what a transaction does to accounts, in that transaction. `by`: default, the operator. */
export type RecordAccount = (
  tx: AccountTx,
  event: AccountEvent,
  subject: AccountSubject,
  by?: WriteCaller,
) => Promise<void>

export function recordAccount({ now, sha256 }: Pick<AccountDeps, 'now' | 'sha256'>): RecordAccount {
  return async (tx, event, { kind, id }, { userId, principalId, address } = OPERATOR) => {
    const head = (await tx.auditHead()) ?? NO_ENTRIES
    const facts = { at: now(), event, userId, principalId, address, subjectKind: kind, subject: id }
    await tx.putAudit(linkEntries(head, [facts], sha256))
  }
}

/** Records that these keys, members, grants and clients are about to go with their user or space. */
export async function recordLeaving(
  tx: AccountTx,
  of: { userId: string } | { spaceId: string },
  record: RecordAccount,
): Promise<void> {
  for (const { id } of await tx.keys(of)) await record(tx, 'key_removed', { kind: 'key', id })
  for (const { spaceId, userId } of await tx.members(of))
    await record(tx, 'member_removed', { kind: 'member', id: `${spaceId} ${userId}` })
  for (const { id, revokedAt } of await tx.grants(of))
    if (revokedAt === null) await record(tx, 'grant_revoked', { kind: 'grant', id })
  if (!('userId' in of)) return
  for (const { id, userId } of await tx.clients())
    if (userId === of.userId) await record(tx, 'client_deleted', { kind: 'client', id })
}

/** The chain of the accounts, as that of a memory. */
export function createAccountAudit({ store, now, sha256 }: Pick<AccountDeps, 'store' | 'now' | 'sha256'>) {
  const read: ReadChain = (fn) =>
    store.read(async (tx) => {
      const head = (await tx.auditHead()) ?? NO_ENTRIES
      const find = async (number: number): Promise<AuditEntry | undefined> => {
        const [entry] = await tx.audit({ after: number - 1, limit: 1 })
        return entry?.number === number ? entry : undefined
      }
      const after = (number: number) => tx.audit({ after: number, limit: AUDIT_PAGE })
      return fn({ head, entries: pages(tx), after, find })
    })

  /** Removes entries from the first up to this number. A chain with gaps is left as it is, for `verify`. */
  async function trim(upTo: number): Promise<void> {
    await store.write(async (tx) => {
      const head = (await tx.auditHead()) ?? NO_ENTRIES
      const [last] = await tx.audit({ after: upTo - 1, limit: 1 })
      if (head.removedNumber >= upTo || last?.number !== upTo) return
      const removed = { removedNumber: upTo, removedHash: last.hash }
      await tx.putAudit({ head: { ...head, ...removed }, removeUpTo: upTo })
    })
  }

  /** These accounts were restored from a backup, in the place of others whose audit ended there. */
  async function restored(replaced: KnownEnd | undefined): Promise<void> {
    await store.write(async (tx) => {
      const head = (await tx.auditHead()) ?? NO_ENTRIES
      await tx.putAudit(linkEntries(head, [{ at: now(), ...restoredEvent(replaced) }], sha256))
    })
  }

  return { read, trim, restored }
}

async function* pages(tx: AccountReads): AsyncGenerator<AuditEntry[]> {
  for (let after = Number.MIN_SAFE_INTEGER; ; ) {
    const page = await tx.audit({ after, limit: AUDIT_PAGE })
    const last = page.at(-1)
    if (!last) return
    yield page
    after = last.number
  }
}
