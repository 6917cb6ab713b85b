import type { Space } from '../../core/accounts/model.ts'
import { needs } from '../../core/errors.ts'
import { type Memory, type OpenOptions, openMemory } from '../memory/open-memory.ts'
import { openAccounts } from './accounts.ts'
import { createSpace, type NewSpace } from './create-space.ts'
import { deleteSpace } from './delete-space.ts'
import { getSpace, usableFiles } from './find-space.ts'
import { type SpaceStats, spaceStats } from './space-stats.ts'

/** How the folder is opened. */
export interface OpenSpacesOptions {
  /** Make the folder when there is none. Default: true. */
  create?: boolean
  /** Milliseconds since 1970. Default: the system's clock. */
  now?: () => number
}

/** How a space of it is opened. */
export type OpenSpaceOptions = Omit<OpenOptions, 'db' | 'create'>

export type Spaces = Awaited<ReturnType<typeof openSpaces>>

/** Opens a folder of spaces: memories that share nothing, each with a name. Close it when done; `await using` does. */
export async function openSpaces(dir: string, { create = true, now }: OpenSpacesOptions = {}) {
  needs(typeof dir === 'string' && dir !== '', 'openSpaces needs the path of a folder')
  const accounts = await openAccounts(dir, { create, ...(now ? { now } : {}) })
  const deps = { dir, accounts }
  return {
    /** In the order in which they were created. */
    list: (): Promise<Space[]> => accounts.spaces.list(),
    /** An empty memory, or with `from` a copy of one. */
    create: (space: NewSpace): Promise<Space> => createSpace(deps, space),
    /** Keys and members stay: they are of the space, not of its name. */
    rename: (name: string, to: string): Promise<Space> => accounts.spaces.rename(name, to),
    /** Keeps it, and nobody can open it until `unarchive`. */
    archive: (name: string): Promise<Space> => accounts.spaces.archive(name),
    unarchive: (name: string): Promise<Space> => accounts.spaces.unarchive(name),
    /** For good: with its memory, members and keys. */
    delete: (name: string): Promise<Space> => deleteSpace(deps, name),
    stats: async (name: string): Promise<SpaceStats> => spaceStats(deps, await getSpace(accounts, name)),
    /** The memory of a space. Close it when done. */
    open: async (name: string, options: OpenSpaceOptions = {}): Promise<Memory> => {
      const { db } = usableFiles(dir, await getSpace(accounts, name))
      return openMemory({ audit: {}, ...options, db, create: false })
    },
    close: (): Promise<void> => accounts.close(),
    [Symbol.asyncDispose]: (): Promise<void> => accounts.close(),
  }
}
