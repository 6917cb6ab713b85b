import type { Accounts } from '../../../core/accounts/accounts.ts'
import { type AuditEnvelope, shownEntry, timeText } from '../../../core/audit/page.ts'
import type { ReadChain } from '../../../core/audit/read-chain.ts'
import { type KnownEnd, type Verified, verifyChain } from '../../../core/audit/verify.ts'
import type { AuditEntry } from '../../../core/port/audit.ts'
import { writeLines, writePieces } from '../../../util/terminal/output.ts'
import { alignColumns } from '../../../util/terminal/table.ts'
import { jsonPieces } from '../../../util/text/json-pieces.ts'
import { printable } from '../../../util/text/printable.ts'
import { sha256 } from '../../../util/text/sha256.ts'
import { plural } from '../../../util/text/units.ts'
import { type Context, defineCommand, type ExitCode, UsageError } from '../../base/command.ts'
import { spacesFolder } from '../../base/which-memory.ts'
import { type AuditFilter, filterOf, fits } from './audit-filter.ts'
import { ACCOUNT_FLAGS } from './with-accounts.ts'

const WHICH = {
  ...ACCOUNT_FLAGS,
  space: { kind: 'text', value: 'NAME', help: 'The audit of this space. Default: the only one' },
  accounts: { kind: 'switch', help: 'Instead of a space: the audit of users, spaces, members and keys' },
} as const

const FILTERS = {
  user: { kind: 'text', value: 'NAME', help: 'Only of this user: the name, or the id of one that is gone' },
  key: { kind: 'text', value: 'ID', help: 'Only with this API key' },
  event: { kind: 'text', value: 'EVENT', help: 'Only these, such as memory_updated' },
  since: { kind: 'text', value: 'TIME', help: 'Only from this time on: 2026-05-01, or 24h ago as 24h' },
  until: { kind: 'text', value: 'TIME', help: 'Only before this time' },
} as const

const DEFAULT_LIMIT = 50

const list = defineCommand({
  parameters: {},
  flags: {
    ...FILTERS,
    limit: { kind: 'number', value: 'N', min: 1, help: `The newest N. Default ${DEFAULT_LIMIT}` },
    ...WHICH,
  },
  examples: [
    'remindb audit list --space research',
    'remindb audit list --space research --user ada --since 24h',
    'remindb audit list --accounts',
  ],
  run: (context, { flags: { limit = DEFAULT_LIMIT, json, ...flags } }) =>
    withAudit(context, flags, async ({ read, accounts }) => {
      const filter = await filterOf(accounts, flags, Date.now())
      const newest: AuditEntry[] = []
      await read(({ entries }) =>
        eachFitting(entries, filter, async (entry) => {
          newest.push(entry)
          if (newest.length > limit) newest.shift()
        }),
      )
      newest.reverse()
      if (json) await writePieces(context.out, jsonPieces(newest.map(shownEntry)))
      else await writeLines(context.out, await tableOf(newest, accounts))
      return 0
    }),
})

const verify = defineCommand({
  parameters: {},
  flags: WHICH,
  examples: ['remindb audit verify --space research', 'remindb audit verify --accounts --json'],
  run: (context, { flags: { json, ...flags } }) =>
    withAudit(context, flags, async ({ read, known }) => {
      const result = await read((chain) => verifyChain({ ...chain, known, sha256 }))
      if (json) await writePieces(context.out, jsonPieces(verifiedJson(result)))
      else await writeLines(context.out, [verifiedLine(result, known)])
      return result.status === 'ok' ? 0 : 1
    }),
})

const exportCommand = defineCommand({
  parameters: {},
  flags: { ...FILTERS, ...WHICH },
  examples: ['remindb audit export --space research > audit.jsonl', 'remindb audit export --accounts'],
  run: (context, { flags: { json: _, ...flags } }) =>
    withAudit(context, flags, async ({ read, accounts }) => {
      const filter = await filterOf(accounts, flags, Date.now())
      await read(async ({ head, entries }) => {
        let previous = head.removedHash
        for await (const page of entries) {
          const lines: string[] = []
          for (const entry of page) {
            if (fits(filter, entry)) lines.push(JSON.stringify(exportedEntry(entry, previous)))
            previous = entry.hash
          }
          if (lines.length > 0) await writeLines(context.out, lines)
        }
      })
      return 0
    }),
})

export const audit = { list, verify, export: exportCommand }

interface Audit {
  read: ReadChain
  /** The end of the chain, as it is kept apart. */
  known: KnownEnd | undefined
  accounts: Accounts
}

interface AuditFlags {
  spaces: string | undefined
  space: string | undefined
  accounts: boolean
}

async function withAudit(
  context: Context,
  { spaces, space, accounts: isOfAccounts }: AuditFlags,
  work: (audit: Audit) => Promise<ExitCode>,
): Promise<ExitCode> {
  if (isOfAccounts && space !== undefined) throw new UsageError('give --space or --accounts, not both')
  const dir = spacesFolder({ spaces, cwd: context.cwd })
  const { openAccounts } = await import('../../../runtime/spaces/accounts.ts')
  const { readAuditHead } = await import('../../../runtime/spaces/audit-head.ts')
  const accounts = await openAccounts(dir)
  try {
    if (isOfAccounts)
      // What is kept apart first: meanwhile the chain may only grow.
      return await work({ known: readAuditHead(dir), read: accounts.audit.read, accounts })
    const { findSpace } = await import('../../../runtime/spaces/find-space.ts')
    const { openMemory } = await import('../../../runtime/memory/open-memory.ts')
    const { files } = await findSpace(dir, space)
    const known = readAuditHead(files.folder)
    await using memory = await openMemory({ db: files.db, create: false, readOnly: true })
    return await work({ known, read: memory.audit.read, accounts })
  } finally {
    await accounts.close()
  }
}

async function eachFitting(
  entries: AsyncIterable<readonly AuditEntry[]>,
  filter: AuditFilter,
  use: (entry: AuditEntry) => Promise<void>,
): Promise<void> {
  for await (const page of entries) for (const entry of page) if (fits(filter, entry)) await use(entry)
}

async function tableOf(entries: readonly AuditEntry[], { users }: Accounts): Promise<string[]> {
  if (entries.length === 0) return ['no entries']
  const names = new Map((await users.list()).map(({ id, name }) => [id, name]))
  const rows = entries.map(({ number, at, event, userId, principalId, address, subjectKind, subject }) => [
    String(number),
    printable(timeText(at)),
    event,
    names.get(userId) ?? (userId || nobody(event)),
    principalId,
    address,
    printable(`${subjectKind} ${subject}`.trim()),
  ])
  return alignColumns([['number', 'time', 'event', 'user', 'key', 'address', 'subject'], ...rows])
}

/** Who did what no user did. Anybody can register a client. */
function nobody(event: string): string {
  return event === 'client_registered' ? '' : 'operator'
}

function verifiedLine(result: Verified, known: KnownEnd | undefined): string {
  if (result.status === 'broken') {
    const { number, at, reason } = result
    return `broken: entry ${number}${at === null ? '' : ` (${timeText(at)})`} ${reason}`
  }
  const line = `ok: ${plural(result.entries, 'entry', 'entries')}`
  return known || result.entries === 0
    ? line
    : `${line}; the end is not kept apart yet, so it was not checked`
}

function verifiedJson(result: Verified): object {
  if (result.status === 'ok') return result
  const { status, number, at, reason } = result
  return { status, number, time: at === null ? null : timeText(at), reason }
}

function exportedEntry(
  entry: AuditEntry,
  previous: string,
): AuditEnvelope['entries'][number] & { previous: string } {
  const { hash, ...shown } = shownEntry(entry)
  return { ...shown, previous, hash }
}
