import type { AuditEntry, AuditHead } from '../port/audit.ts'
import { hashOf, type Sha256 } from './chain.ts'
import type { Chain } from './read-chain.ts'

/** The end of a chain as it is known from elsewhere. */
export interface KnownEnd extends Pick<AuditHead, 'number' | 'hash'> {
  /** No entry after this one was ever removed by retention. Undefined: that is not known. */
  removed?: number
}

/** `entries`: how many were checked. */
export type Verified = { status: 'ok'; entries: number } | BrokenLink

/** The first link that does not hold. `at` is null where there is no entry. */
export interface BrokenLink {
  status: 'broken'
  number: number
  at: number | null
  reason: string
}

export interface ChainToVerify {
  /** Undefined: nothing was ever recorded. */
  head: AuditHead | undefined
  /** In pages, in the order of their numbers. */
  entries: AsyncIterable<readonly AuditEntry[]>
  /** Kept apart from the chain; it may be behind. */
  known?: KnownEnd | undefined
  sha256: Sha256
}

/** Recomputes every hash. */
export async function verifyChain({ head, entries, known, sha256 }: ChainToVerify): Promise<Verified> {
  const begin = { number: head?.removedNumber ?? 0, hash: head?.removedHash ?? '' }
  let last = begin
  let checked = 0
  if (head && known && isRemovedBeyond(head, known)) return removedBeyond(known)
  let reason = disagrees(begin, known)
  if (reason) return broken(begin.number, null, reason)
  for await (const page of entries)
    for (const entry of page) {
      reason = wrongIn(entry, last, sha256) ?? disagrees(entry, known)
      if (reason) return broken(Math.min(entry.number, last.number + 1), entry.at, reason)
      last = entry
      checked++
    }
  reason = wrongEnd(last, head, known)
  return reason ? broken(last.number + 1, null, reason) : { status: 'ok', entries: checked }
}

/** Whether a chain still contains a known end, without reading the rest of it. */
export async function continues(
  { head, find }: Pick<Chain, 'head' | 'find'>,
  known: KnownEnd,
): Promise<boolean> {
  const { number, removedNumber, removedHash } = head
  if (known.number > number || isRemovedBeyond(head, known)) return false
  const hash = known.number === removedNumber ? removedHash : (await find(known.number))?.hash
  return hash === known.hash
}

/** Retention announces what it removes: whatever else is missing at the beginning was removed by somebody else. */
function isRemovedBeyond({ removedNumber }: AuditHead, { number, removed = number }: KnownEnd): boolean {
  return removedNumber > Math.min(number, removed)
}

function removedBeyond({ number, removed = number }: KnownEnd): BrokenLink {
  return broken(Math.min(number, removed) + 1, null, 'is missing, and retention did not remove it')
}

function wrongIn(entry: AuditEntry, last: KnownEnd, sha256: Sha256): string | undefined {
  if (entry.number > last.number + 1) return 'is missing'
  if (entry.number !== last.number + 1) return 'is duplicated or out of order'
  const isFitting = entry.hash === hashOf(entry, last.hash, sha256)
  return isFitting ? undefined : 'was changed, or the entry before it was replaced'
}

/** A chain that was recomputed from some entry on has other hashes from there. */
function disagrees(entry: KnownEnd, known: KnownEnd | undefined): string | undefined {
  if (known?.number !== entry.number || known.hash === entry.hash) return undefined
  return 'does not have the hash in audit-head.json: the chain was replaced'
}

function wrongEnd(
  last: KnownEnd,
  head: AuditHead | undefined,
  known: KnownEnd | undefined,
): string | undefined {
  if (known && known.number > last.number)
    return `is missing: there were ${known.number} entries, and the last ones were cut off`
  if ((head?.number ?? 0) > last.number) return 'is missing: the last entries were cut off'
  if ((head?.number ?? 0) === last.number && (head?.hash ?? '') === last.hash) return undefined
  return 'would be the next, but the head of the chain names another end'
}

function broken(number: number, at: number | null, reason: string): BrokenLink {
  return { status: 'broken', number, at, reason }
}
