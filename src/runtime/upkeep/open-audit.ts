import { type KeptAuditParts, keepAudit } from './audit-keeper.ts'
import { type AuditLog, type AuditLogParts, createAuditLog, readOnlyAudit } from './audit-log.ts'

export interface OpenAuditParts extends AuditLogParts, Pick<KeptAuditParts, 'db' | 'now' | 'watch'> {
  readOnly: boolean
  /** Undefined: nobody keeps its end. */
  kept: (Pick<KeptAuditParts, 'retentionMs'> & { onProblem?: (error: unknown) => void }) | undefined
}

/** The audit of a memory that is open, until it is closed. */
export function openAudit({ readOnly, kept, db, now, watch, ...parts }: OpenAuditParts): AuditLog {
  if (readOnly) return readOnlyAudit(parts.store)
  const log = createAuditLog(parts)
  if (!kept) return log
  const { onProblem = (error: unknown): void => parts.onError(error, 0), ...others } = kept
  const keeper = keepAudit({ ...others, ...log, db, now, watch, onError: onProblem })
  return {
    ...log,
    async close() {
      await log.close()
      await keeper.stop()
    },
  }
}
