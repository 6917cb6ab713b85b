import type { AuditFacts } from './chain.ts'
import type { AuditEvent } from './events.ts'
import { OPERATOR } from './operator.ts'
import type { KnownEnd } from './verify.ts'

/**
 * The operator put a backup in place. The end of the audit that it replaced is named, so that the one that was moved aside can still
 * be recognised.
 */
export function restoredEvent(
  replaced: KnownEnd | undefined,
): Omit<AuditFacts, 'at' | 'event'> & Pick<AuditEvent, 'event'> {
  const subject = replaced ? `${replaced.number} ${replaced.hash}` : ''
  return { event: 'backup_restored', ...OPERATOR, subjectKind: replaced ? 'audit' : '', subject }
}
