import { mkdirSync } from 'node:fs'
import type { Space } from '../../core/accounts/model.ts'
import { openSqlite } from '../../store/sqlite/engine.ts'
import { loadXxh64 } from '../../util/text/xxh64.ts'
import { copyChecked } from '../memory/copy-checked.ts'
import { spaceFiles } from './space-files.ts'
import { clearUnlisted, noteUnlisted, removeFiles, removeLeftovers, type SpacesDeps } from './unlisted.ts'

export interface NewSpace {
  name: string
  /** A database to begin with, of which a copy is made. Default: an empty memory. */
  from?: string | undefined
}

/** The files first: whoever finds the space can open it. */
export async function createSpace(deps: SpacesDeps, { name, from }: NewSpace): Promise<Space> {
  await removeLeftovers(deps)
  const { dir, accounts } = deps
  let made: string | undefined
  try {
    return await accounts.spaces.create(name, async (id) => {
      made = id
      noteUnlisted(dir, id)
      await makeFiles(dir, id, from)
    })
  } catch (error) {
    if (made !== undefined) removeFiles(dir, made)
    throw error
  } finally {
    if (made !== undefined) clearUnlisted(dir, made)
  }
}

async function makeFiles(dir: string, id: string, from: string | undefined): Promise<void> {
  const { folder, db } = spaceFiles(dir, id)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (from !== undefined) return void (await copyChecked(from, db, { name: from }))
  // A thread would take longer to start than the database takes to create.
  const engine = await openSqlite({ file: db, hash: await loadXxh64(), create: true, writer: 'here' })
  await engine.close()
}
