import type { AuditEntry, AuditHead, AuditWrite } from '../port/audit.ts'

/** An event to record. It gets its number and hash when it is stored. */
export type AuditFacts = Omit<AuditEntry, 'number' | 'hash' | 'checksum'>

/** In hex. */
export type Sha256 = (text: string) => string

export const NO_ENTRIES: AuditHead = { number: 0, hash: '', removedNumber: 0, removedHash: '' }

/** The hash of an entry. It covers every field: a change of any is found. */
export function hashOf(entry: Omit<AuditEntry, 'hash'>, previous: string, sha256: Sha256): string {
  const { number, at, event, userId, principalId, address, subjectKind, subject } = entry
  return sha256(
    JSON.stringify([previous, number, at, event, userId, principalId, address, subjectKind, subject]),
  )
}

/** The next links of a chain. */
export function linkEntries(head: AuditHead, facts: readonly AuditFacts[], sha256: Sha256): AuditWrite {
  const add: AuditEntry[] = []
  let { number, hash } = head
  for (const one of facts) {
    number++
    const entry = { ...one, subject: storable(one.subject), number }
    hash = hashOf(entry, hash, sha256)
    add.push({ ...entry, hash })
  }
  return { add, head: { ...head, number, hash } }
}

/** Longer than any name in a memory. */
const MAX_SUBJECT = 1000

/** Engines replace half a surrogate pair when they store it, and the hash would no longer match. */
function storable(subject: string): string {
  return subject.slice(0, MAX_SUBJECT).toWellFormed()
}
