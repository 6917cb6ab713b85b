import { cursorNumbers, type NextPage, type PageInput, pageOf } from '../page.ts'
import type { AuditEntry } from '../port/audit.ts'
import type { Store } from '../port/store.ts'
import { auditHead } from './append.ts'

/** `remindb://audit`: the keys and their order are locked. Newest first. */
export interface AuditEnvelope {
  entries: {
    number: number
    /** RFC 3339. */
    time: string
    event: string
    /** Ids; '' for the operator. */
    user: string
    key: string
    address: string
    subject: { kind: string; name: string } | null
    hash: string
  }[]
}

/** The cursor is the number of the last entry of the previous page. */
export async function auditPage(
  { store }: { store: Pick<Store, 'read'> },
  input: PageInput,
): Promise<AuditEnvelope & NextPage> {
  const { limit, cursor } = pageOf(input)
  const [before] = cursor === undefined ? [] : cursorNumbers(cursor, 1)
  return store.read(async (tx) => {
    const { number, removedNumber } = await auditHead(tx)
    const last = Math.min(number, before === undefined ? number : before - 1)
    // Numbers have no gaps: what comes before a page is known without reading it.
    const first = Math.max(removedNumber, last - limit)
    const page = last > first ? await tx.scan('audit', { after: [first], limit: last - first }) : []
    const entries = page.filter((entry) => entry.number <= last).map(shownEntry)
    return { entries: entries.reverse(), next_cursor: first > removedNumber ? String(first + 1) : null }
  })
}

export function shownEntry(entry: AuditEntry): AuditEnvelope['entries'][number] {
  const { number, at, event, userId, principalId, address, subjectKind, subject, hash } = entry
  return {
    ...{ number, time: timeText(at), event, user: userId, key: principalId, address },
    subject: subjectKind === '' ? null : { kind: subjectKind, name: subject },
    hash,
  }
}

/** RFC 3339. Somebody may have changed it to anything. */
export function timeText(at: number): string {
  const time = new Date(at)
  return Number.isNaN(time.getTime()) ? String(at) : time.toISOString()
}
