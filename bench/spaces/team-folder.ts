import { randomBytes } from 'node:crypto'
import { constants, copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createId } from '../../src/core/accounts/deps.ts'
import { accountsFile, openAccounts } from '../../src/runtime/spaces/accounts.ts'
import { createSpace } from '../../src/runtime/spaces/create-space.ts'
import { spaceFiles } from '../../src/runtime/spaces/space-files.ts'
import { openSqliteAccounts } from '../../src/store/sqlite/accounts/engine.ts'
import { fileOf, makeSpaces } from './files.ts'

/** A space, and the key of the one client that uses it. */
export interface KeyedSpace {
  name: string
  key: string
}

const USER = 'bench'
const nameOf = (space: number): string => `space-${space}`

/** A folder of spaces that nobody has open: one is made as users make it, the others are copies of it. Keys for those in `used`. */
export async function makeTeamFolder(
  folder: string,
  { spaces, nodes, used }: { spaces: number; nodes: number; used: readonly number[] },
): Promise<{ dir: string; keyed: KeyedSpace[] }> {
  const dir = join(folder, 'team')
  await makeSpaces(folder, { spaces: 1, nodes })
  const accounts = await openAccounts(dir, { create: true })
  try {
    const { id } = await createSpace({ dir, accounts }, { name: nameOf(0), from: fileOf(folder, 0) })
    await copySpace(dir, { id, copies: spaces - 1 })
    await accounts.users.create({ name: USER })
    const keyed: KeyedSpace[] = []
    for (const space of used) {
      const name = nameOf(space)
      const { key } = await accounts.keys.create({ user: USER, space: name, scopes: ['memories:write'] })
      keyed.push({ name, key })
    }
    return { dir, keyed }
  } finally {
    await accounts.close()
  }
}

/** All rows in one transaction: one for each would wait for the disk as often. */
async function copySpace(dir: string, { id, copies }: { id: string; copies: number }): Promise<void> {
  const { db } = spaceFiles(dir, id)
  const rows = Array.from({ length: copies }, (_, at) => ({
    ...{ id: createId({ randomBytes }), name: nameOf(at + 1), createdAt: Date.now(), archivedAt: null },
  }))
  for (const row of rows) {
    const copy = spaceFiles(dir, row.id)
    mkdirSync(copy.folder, { mode: 0o700 })
    copyFileSync(db, copy.db, constants.COPYFILE_FICLONE)
  }
  const store = openSqliteAccounts({ file: accountsFile(dir) })
  try {
    await store.write(async (tx) => {
      for (const row of rows) await tx.putSpace(row)
    })
  } finally {
    await store.close()
  }
}
