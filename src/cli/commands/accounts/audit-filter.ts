import type { Accounts } from '../../../core/accounts/accounts.ts'
import type { AuditEntry } from '../../../core/port/audit.ts'
import { parseLifetime } from '../../../util/text/duration.ts'
import { UsageError } from '../../base/command.ts'

/** What is undefined does not matter. */
export interface AuditFilter {
  userId: string | undefined
  key: string | undefined
  event: string | undefined
  since: number
  until: number
}

interface FilterFlags {
  user: string | undefined
  key: string | undefined
  event: string | undefined
  since: string | undefined
  until: string | undefined
}

export async function filterOf(
  { users }: Accounts,
  { user, key, event, since, until }: FilterFlags,
  now: number,
): Promise<AuditFilter> {
  const known = user === undefined ? undefined : (await users.list()).find(({ name }) => name === user)
  return {
    ...{ userId: known?.id ?? user, key, event },
    since: since === undefined ? Number.NEGATIVE_INFINITY : timeOf('--since', since, now),
    until: until === undefined ? Number.POSITIVE_INFINITY : timeOf('--until', until, now),
  }
}

export function fits({ userId, key, event, since, until }: AuditFilter, entry: AuditEntry): boolean {
  if (userId !== undefined && entry.userId !== userId) return false
  if (key !== undefined && entry.principalId !== key) return false
  if (event !== undefined && entry.event !== event) return false
  return entry.at >= since && entry.at < until
}

/** A date, or how long ago. */
function timeOf(flag: string, text: string, now: number): number {
  const ago = parseLifetime(text)
  const time = ago === undefined ? Date.parse(text) : now - ago
  if (!Number.isNaN(time)) return time
  throw new UsageError(`${flag} must be a time such as 2026-05-01 or 24h, got ${JSON.stringify(text)}`)
}
