import type { AuditEntry, AuditHead, AuditWrite } from '../port/audit.ts'

/** An event as it is recorded: its place in the chain is decided when it is stored. */
export type AuditFacts = Omit<AuditEntry, 'number' | 'hash' | 'checksum'>

/** In hex. */
export type Sha256 = (text: string) => string

export const NO_ENTRIES: AuditHead = { number: 0, hash: '', removedNumber: 0, removedHash: '' }

/** What `hash` of an entry must be. Every field is part of it, so that none can be changed unseen. */
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

/** More than any name of a memory has. */
const MAX_SUBJECT = 1000

/** Engines store half a surrogate pair as something else, and the hash would no longer fit. */
function storable(subject: string): string {
  return subject.slice(0, MAX_SUBJECT).toWellFormed()
}
