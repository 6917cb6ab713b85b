import type { ScanReads } from '../port/scan.ts'
import type { StoredDocument } from '../port/stored.ts'
import type { DocumentWrite, UserCount } from '../port/write-set.ts'

/** The fields that decide what a document counts for. */
export type ChargedDocument = Pick<StoredDocument, 'state' | 'attributes' | 'textBytes' | 'userId'> & {
  address: Pick<StoredDocument['address'], 'kind'>
}

/** What counts against the quota of a user. */
export async function countedFor(tx: Pick<ScanReads, 'scan'>, userId: string): Promise<UserCount> {
  const [counted] = await tx.scan('userCounts', { of: { userId: [userId] }, limit: 1 })
  return counted ?? { userId, count: 0, bytes: 0 }
}

/** The changes of what counts against the quotas of users. Counting again would cost the whole memory. */
export function userCounts(writes: readonly DocumentWrite[]): UserCount[] {
  const counts = createUserCounts()
  for (const { before, after } of writes) {
    if (before) counts.count(before, -1)
    counts.count(after, 1)
  }
  return counts.changes()
}

/** Adds and subtracts documents. */
export function createUserCounts() {
  const users = new Map<string, { count: number; bytes: number }>()
  return {
    count(document: ChargedDocument, sign: 1 | -1): void {
      if (document.userId === null || !isMemory(document)) return
      const { count, bytes } = users.get(document.userId) ?? { count: 0, bytes: 0 }
      const charged = { count: count + sign, bytes: bytes + sign * document.textBytes }
      users.set(document.userId, charged)
    },
    changes: (): UserCount[] =>
      [...users]
        .filter(([, { count, bytes }]) => count !== 0 || bytes !== 0)
        .map(([userId, counts]) => ({ userId, ...counts })),
  }
}

/**
 * Files on disk and folders are not counted. The tombstone of a key counts until it is forgotten. A note is gone with
 * its last node, but its document stays.
 */
function isMemory({ address: { kind }, state, attributes, textBytes }: ChargedDocument): boolean {
  if (kind === 'source' || state === 'removed') return false
  if (state === 'erased') return kind === 'key'
  return kind === 'note' ? textBytes > 0 : attributes?.folder !== true
}
