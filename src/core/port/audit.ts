import type { Row } from './rows.ts'

/** One event of the audit. It names its subject and never has content. Missing texts are ''. */
export interface AuditEntry extends Row {
  /** 1 for the first, without gaps. */
  number: number
  /** Milliseconds since 1970. */
  at: number
  event: string
  userId: string
  /** The key that was used. */
  principalId: string
  /** Of the connection. */
  address: string
  subjectKind: string
  subject: string
  /** SHA-256 over the other fields and the hash of the entry before, in hex: see `core/audit/chain.ts`. */
  hash: string
}

/** Where the chain of entries begins and ends. */
export interface AuditHead extends Row {
  /** The newest entry; 0 and '' before the first. */
  number: number
  hash: string
  /** The newest entry that retention removed; 0 and '' where it removed none. */
  removedNumber: number
  removedHash: string
}

/** A change of the chain. */
export interface AuditWrite {
  head: AuditHead
  add?: readonly AuditEntry[]
  /** Removes every entry up to this one. */
  removeUpTo?: number
}
