import type { AccountStore } from '../../src/core/accounts/port.ts'

/** What the audit of accounts says from this entry on. */
export async function auditAfter(store: AccountStore, after: number) {
  const entries = await store.read((tx) => tx.audit({ after, limit: 1000 }))
  return entries.map(({ event, userId, principalId, address, subjectKind, subject }) => ({
    ...{ event, userId, principalId, address },
    subject: `${subjectKind} ${subject}`,
  }))
}

export async function auditEnd(store: AccountStore): Promise<number> {
  return (await store.read((tx) => tx.auditHead()))?.number ?? 0
}
