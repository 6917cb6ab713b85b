import type { Accounts } from '../../../core/accounts/accounts.ts'
import { timeText } from '../../../core/audit/page.ts'
import type { AuditEntry } from '../../../core/port/audit.ts'
import { alignColumns } from '../../../util/terminal/table.ts'
import { printable } from '../../../util/text/printable.ts'

/** Entries for people: users and spaces by the names that they have now. Somebody may have changed any of it to anything. */
export async function tableOf(
  entries: readonly AuditEntry[],
  { users, spaces }: Pick<Accounts, 'users' | 'spaces'>,
): Promise<string[]> {
  if (entries.length === 0) return ['no entries']
  const known = [...(await users.list()), ...(await spaces.list())]
  const names = new Map(known.map(({ id, name }) => [id, name]))
  const rows = entries.map((entry) => [
    ...[String(entry.number), timeText(entry.at), entry.event],
    ...[names.get(entry.userId) ?? (entry.userId || nobody(entry.event)), entry.principalId, entry.address],
    subjectText(entry, names),
  ])
  const printed = rows.map((row) => row.map((cell) => printable(String(cell))))
  return alignColumns([['number', 'time', 'event', 'user', 'key', 'address', 'subject'], ...printed])
}

const OF_ACCOUNTS = ['user', 'space', 'member']

function subjectText({ subjectKind, subject }: AuditEntry, names: ReadonlyMap<string, string>): string {
  const words = OF_ACCOUNTS.includes(subjectKind)
    ? subject.split(' ').map((id) => names.get(id) ?? id)
    : [subject]
  return [subjectKind, ...words].join(' ').trim()
}

/** Who did what no user did. Anybody can register a client. */
function nobody(event: string): string {
  return event === 'client_registered' ? '' : 'operator'
}
