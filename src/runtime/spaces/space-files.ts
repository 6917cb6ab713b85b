import { join } from 'node:path'
import { MemoryError, needs } from '../../core/errors.ts'
import { realOrSame } from '../../util/files/paths.ts'
import { LinkError, refuseLinks } from '../../util/files/within-folder.ts'

/** Everything of a space is in its folder: the database, and beside it the `.remindb` with settings, logs and sessions. */
export interface SpaceFiles {
  folder: string
  db: string
}

const ID = /^[0-9A-Za-z]{1,64}$/

/** The folder with the folders of all spaces. */
export function foldersOf(dir: string): string {
  return join(realOrSame(dir), 'spaces')
}

/** Where the space with this id is kept in `dir`: names of spaces change, ids do not. Throws where a link is on the way. */
export function spaceFiles(dir: string, spaceId: string): SpaceFiles {
  needs(ID.test(spaceId), 'the id of a space has letters and digits only')
  const folder = join(foldersOf(dir), spaceId)
  const db = join(folder, 'memory.db')
  refuseLinksTo(realOrSame(dir), db)
  return { folder, db }
}

/** The folder itself may be reached through one: whoever runs the program named it. */
function refuseLinksTo(dir: string, path: string): void {
  try {
    refuseLinks(dir, path)
  } catch (error) {
    throw error instanceof LinkError ? new MemoryError('FORBIDDEN', error.message, { cause: error }) : error
  }
}
