import type { Accounts } from '../../../core/accounts/accounts.ts'
import type { Spaces } from '../../../runtime/spaces/open-spaces.ts'
import { writeLines, writePieces } from '../../../util/terminal/output.ts'
import { jsonPieces } from '../../../util/text/json-pieces.ts'
import type { Context, Flags } from '../../base/command.ts'
import { withPath } from '../../base/databases.ts'
import { spacesFolder } from '../../base/which-memory.ts'

/** The flags of every command about accounts. */
export const ACCOUNT_FLAGS = {
  spaces: { kind: 'text', value: 'DIR', help: 'The folder of the spaces. Default: REMINDB_SPACES' },
  json: { kind: 'switch', help: 'Print JSON' },
} as const satisfies Flags

export interface AccountFlags {
  spaces: string | undefined
  json: boolean
}

/** The output of a command: for programs, and for people. */
export interface Answer {
  json: object
  lines: string[]
}

/** Opens the accounts, passes them and their folder to `work`, closes them and prints its output. */
export async function withAccounts(
  context: Context,
  { spaces, json }: AccountFlags,
  work: (accounts: Accounts, dir: string) => Promise<Answer>,
  { create = false } = {},
): Promise<0> {
  const dir = spacesFolder({ spaces, cwd: context.cwd })
  return printAnswer(context, json, await openedIn(dir, create, work))
}

/** As `withAccounts`, for commands about the spaces themselves. */
export async function withSpaces(
  context: Context,
  { spaces, json }: AccountFlags,
  work: (spaces: Spaces) => Promise<Answer>,
  { create = false } = {},
): Promise<0> {
  const dir = spacesFolder({ spaces, cwd: context.cwd })
  const { openSpaces } = await import('../../../runtime/spaces/open-spaces.ts')
  await using opened = await openSpaces(dir, { create })
  return printAnswer(context, json, await work(opened))
}

/** Removes the file with the link for setting the server up, once there is an administrator. */
export async function endSetup(dir: string): Promise<void> {
  const { removeSetupFile } = await import('../../../runtime/spaces/setup-file.ts')
  removeSetupFile(dir)
}

async function printAnswer({ out }: Context, isJson: boolean, { json, lines }: Answer): Promise<0> {
  if (isJson) await writePieces(out, jsonPieces(json))
  else await writeLines(out, lines)
  return 0
}

async function openedIn(
  dir: string,
  create: boolean,
  work: (accounts: Accounts, dir: string) => Promise<Answer>,
): Promise<Answer> {
  const { accountsFile, openAccounts } = await import('../../../runtime/spaces/accounts.ts')
  try {
    const accounts = await openAccounts(dir, { create })
    try {
      return await work(accounts, dir)
    } finally {
      await accounts.close()
    }
  } catch (error) {
    throw withPath(error, accountsFile(dir))
  }
}
