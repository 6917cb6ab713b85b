import type { Accounts } from '../../../core/accounts/accounts.ts'
import { AUDIT_EVENTS } from '../../../core/audit/event-names.ts'
import { MemoryError } from '../../../core/errors.ts'
import type { AuditEntry } from '../../../core/port/audit.ts'
import { parseLifetime } from '../../../util/text/duration.ts'
import { UsageError } from '../../base/command.ts'

const ID = /^[0-9A-Za-z]{16}$/

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
  if (event !== undefined && !AUDIT_EVENTS.includes(event))
    throw new UsageError(`there is no event ${JSON.stringify(event)}; there are ${AUDIT_EVENTS.join(', ')}`)
  return {
    ...{ userId: user === undefined ? undefined : await userIdOf(users, user), key, event },
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

/** What `audit list` shows for entries without a user. */
const OPERATOR = 'operator'

/** Of a user who is deleted, the id is all that is left. */
async function userIdOf(users: Accounts['users'], user: string): Promise<string> {
  const found = (await users.list()).find(({ id, name }) => name === user || id === user)
  if (found) return found.id
  if (user === OPERATOR) return ''
  if (ID.test(user)) return user
  throw new MemoryError(
    'NOT_FOUND',
    `there is no user "${user}"; list them with \`remindb users list\`, or give the id of one that was deleted`,
  )
}

/** A date, or how long ago. */
function timeOf(flag: string, text: string, now: number): number {
  const ago = parseLifetime(text)
  const time = ago === undefined ? Date.parse(text) : now - ago
  if (!Number.isNaN(time)) return time
  throw new UsageError(`${flag} must be a time such as 2026-05-01 or 24h, got ${JSON.stringify(text)}`)
}
