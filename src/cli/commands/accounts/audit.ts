import type { Accounts } from '../../../core/accounts/accounts.ts'
import { type AuditEnvelope, shownEntry } from '../../../core/audit/page.ts'
import type { ReadChain } from '../../../core/audit/read-chain.ts'
import { verifyChain } from '../../../core/audit/verify.ts'
import type { AuditEntry } from '../../../core/port/audit.ts'
import { auditHeadFile, readAuditHead } from '../../../runtime/upkeep/audit-head.ts'
import { writeLines, writePieces } from '../../../util/terminal/output.ts'
import { jsonPieces } from '../../../util/text/json-pieces.ts'
import { sha256 } from '../../../util/text/sha256.ts'
import { type Context, defineCommand, type ExitCode, UsageError } from '../../base/command.ts'
import { spacesFolder } from '../../base/which-memory.ts'
import { filterOf, fits } from './audit-filter.ts'
import { tableOf } from './audit-table.ts'
import { type Verdict, verdictJson, verdictLines } from './audit-verdict.ts'
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
      let older = 0
      await read(async ({ entries }) => {
        for await (const page of entries) {
          newest.push(...page.filter((entry) => fits(filter, entry)))
          older += newest.splice(0, newest.length - limit).length
        }
      })
      newest.reverse()
      if (json) await writePieces(context.out, jsonPieces(newest.map(shownEntry)))
      else await writeLines(context.out, [...(await tableOf(newest, accounts)), ...olderLine(older, limit)])
      return 0
    }),
})

function olderLine(older: number, limit: number): string[] {
  return older === 0 ? [] : [`… ${older} older: --limit ${older + limit}, or remindb audit export`]
}

const verify = defineCommand({
  parameters: {},
  flags: WHICH,
  examples: ['remindb audit verify --space research', 'remindb audit verify --accounts --json'],
  run: (context, { flags: { json, ...flags } }) =>
    withAudit(context, flags, async (audit) => {
      const verdict = await verdictOf(audit)
      if (json) await writePieces(context.out, jsonPieces(verdictJson(verdict)))
      else await writeLines(context.out, verdictLines(verdict))
      return verdict.result.status === 'ok' ? 0 : 1
    }),
})

async function verdictOf({ read, folder }: Audit): Promise<Verdict> {
  const headFile = auditHeadFile(folder)
  // Before the chain, which may only grow meanwhile.
  for (let known = readAuditHead(folder); ; ) {
    const result = await read((chain) => verifyChain({ ...chain, known, sha256 }))
    const newer = readAuditHead(folder)
    // What retention removes is announced there: read again if that was just now.
    if (result.status === 'broken' && newer?.removed !== known?.removed) known = newer
    else return { result, known, headFile, isWhole: result.status === 'ok' || (await isWholeIn(read)) }
  }
}

async function isWholeIn(read: ReadChain): Promise<boolean> {
  return (await read((chain) => verifyChain({ ...chain, sha256 }))).status === 'ok'
}

const exportCommand = defineCommand({
  parameters: {},
  flags: { ...FILTERS, ...WHICH },
  examples: ['remindb audit export --space research > audit.jsonl', 'remindb audit export --accounts'],
  run: (context, { flags: { json: _, ...flags } }) =>
    withAudit(context, flags, async ({ read, accounts }) => {
      const filter = await filterOf(accounts, flags, Date.now())
      for await (const page of pagesOf(read)) {
        const fitting = page.filter(({ entry }) => fits(filter, entry))
        const lines = fitting.map(({ entry, previous }) => JSON.stringify(exportedEntry(entry, previous)))
        if (lines.length > 0) await writeLines(context.out, lines)
      }
      return 0
    }),
})

/** Each page is a read of its own: whoever takes the output may be slow, and a server waits for long reads when it erases. */
async function* pagesOf(read: ReadChain): AsyncGenerator<{ entry: AuditEntry; previous: string }[]> {
  let { removedNumber: number, removedHash: previous } = await read(async ({ head }) => head)
  for (;;) {
    const page = await read(({ after }) => after(number))
    if (page.length === 0) return
    yield page.map((entry, at) => ({ entry, previous: page[at - 1]?.hash ?? previous }))
    ;({ number, hash: previous } = page.at(-1) ?? { number, hash: previous })
  }
}

export const audit = { list, verify, export: exportCommand }

interface Audit {
  read: ReadChain
  /** Where the end of the chain is kept apart. */
  folder: string
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
  const accounts = await openAccounts(dir)
  try {
    if (isOfAccounts) return await work({ folder: dir, read: accounts.audit.read, accounts })
    const { locateSpace } = await import('../../../runtime/spaces/find-space.ts')
    const { openMemory } = await import('../../../runtime/memory/open-memory.ts')
    // Also of a space that is archived.
    const { folder, db } = (await locateSpace(dir, space)).files
    await using memory = await openMemory({ db, create: false, readOnly: true })
    return await work({ folder, read: memory.audit.read, accounts })
  } finally {
    await accounts.close()
  }
}

function exportedEntry(
  entry: AuditEntry,
  previous: string,
): AuditEnvelope['entries'][number] & { previous: string } {
  const { hash, ...shown } = shownEntry(entry)
  return { ...shown, previous, hash }
}
