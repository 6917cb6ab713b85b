import { resolve } from 'node:path'
import type { Accounts } from '../../../core/accounts/accounts.ts'
import { environmentSpaces } from '../../../runtime/settings/config.ts'
import { writeLines, writePieces } from '../../../util/terminal/output.ts'
import { jsonPieces } from '../../../util/text/json-pieces.ts'
import { type Context, type Flags, UsageError } from '../../base/command.ts'
import { withPath } from '../../base/databases.ts'

/** The flags of every command about accounts. */
export const ACCOUNT_FLAGS = {
  spaces: { kind: 'text', value: 'DIR', help: 'The folder of the spaces. Default: REMINDB_SPACES' },
  json: { kind: 'switch', help: 'Print JSON' },
} as const satisfies Flags

export interface AccountFlags {
  spaces: string | undefined
  json: boolean
}

/** What a command answers: for programs, and for people. */
export interface Answer {
  json: unknown
  lines: string[]
}

/** Opens the accounts, gives them to `work`, closes them and prints what it answers. */
export async function withAccounts(
  { out, cwd }: Context,
  { spaces, json }: AccountFlags,
  work: (accounts: Accounts) => Promise<Answer>,
  { create = false } = {},
): Promise<0> {
  const folder = spaces ?? environmentSpaces()
  if (folder === undefined)
    throw new UsageError('which spaces? Name their folder with --spaces DIR, or in REMINDB_SPACES')
  const answer = await openedIn(resolve(cwd, folder), create, work)
  if (json) await writePieces(out, jsonPieces(answer.json))
  else await writeLines(out, answer.lines)
  return 0
}

async function openedIn(
  dir: string,
  create: boolean,
  work: (accounts: Accounts) => Promise<Answer>,
): Promise<Answer> {
  const { accountsFile, openAccounts } = await import('../../../runtime/spaces/accounts.ts')
  try {
    const accounts = await openAccounts(dir, { create })
    try {
      return await work(accounts)
    } finally {
      await accounts.close()
    }
  } catch (error) {
    throw withPath(error, accountsFile(dir))
  }
}
