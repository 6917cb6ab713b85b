import { existsSync } from 'node:fs'
import type { Accounts } from '../../core/accounts/accounts.ts'
import type { Space } from '../../core/accounts/model.ts'
import { MemoryError } from '../../core/errors.ts'
import { openAccounts } from './accounts.ts'
import { type SpaceFiles, spaceFiles } from './space-files.ts'

export interface FoundSpace {
  space: Space
  files: SpaceFiles
}

/** A space that can be opened, by its name; the only one, where none is given. */
export async function findSpace(dir: string, name: string | undefined): Promise<FoundSpace> {
  const { space } = await locateSpace(dir, name)
  return { space, files: usableFiles(dir, space) }
}

/** As `findSpace`, also for one that is archived or has lost its database. */
export async function locateSpace(dir: string, name: string | undefined): Promise<FoundSpace> {
  const accounts = await openAccounts(dir, { create: false })
  try {
    const space = name === undefined ? await onlySpace(accounts, dir) : await getSpace(accounts, name)
    return { space, files: spaceFiles(dir, space.id) }
  } finally {
    await accounts.close()
  }
}

export async function getSpace(accounts: Accounts, name: string): Promise<Space> {
  const space = await accounts.spaces.find(name)
  if (space) return space
  const names = (await accounts.spaces.list()).map((one) => one.name)
  throw new MemoryError('NOT_FOUND', `there is no space "${name}"; ${listOf(names)}`)
}

async function onlySpace(accounts: Accounts, dir: string): Promise<Space> {
  const spaces = (await accounts.spaces.list()).filter(({ archivedAt }) => archivedAt === null)
  const [only, another] = spaces
  if (only && !another) return only
  const names = spaces.map(({ name }) => name)
  const hint = only
    ? `name one with --space: ${listOf(names)}`
    : `create one with \`remindb spaces create NAME --spaces ${dir}\``
  throw new MemoryError(
    only ? 'INVALID_INPUT' : 'NOT_FOUND',
    `${dir} has ${only ? `${spaces.length} spaces` : 'no space'}; ${hint}`,
  )
}

const MOST_NAMES = 20

function listOf(names: readonly string[]): string {
  if (names.length === 0) return 'there is none yet: create it with `remindb spaces create`'
  const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : ''
  return `there are ${names.slice(0, MOST_NAMES).join(', ')}${more}`
}

/** Throws where it is archived, or its database is missing. */
export function usableFiles(
  dir: string,
  { id, name, archivedAt }: Pick<Space, 'id' | 'name' | 'archivedAt'>,
): SpaceFiles {
  if (archivedAt !== null)
    throw new MemoryError(
      'FORBIDDEN',
      `the space "${name}" is archived; to use it again, run \`remindb spaces unarchive ${name}\``,
    )
  const files = spaceFiles(dir, id)
  if (existsSync(files.db)) return files
  throw new MemoryError(
    'NOT_FOUND',
    `the database of the space "${name}" is missing: ${files.db}; restore a backup`,
  )
}
