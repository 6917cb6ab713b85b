import type { Space } from '../../core/accounts/model.ts'
import { isMemoryError } from '../../core/errors.ts'
import { openMemory } from '../memory/open-memory.ts'
import { aboutSpace, spaceFiles } from './space-files.ts'
import type { SpacesDeps } from './unlisted.ts'

export interface SpaceStats {
  space: Space
  nodes: number
  /** Of the database on disk. */
  bytes: number
  /** When something was last stored; null: never. */
  changedAt: number | null
  members: number
  /** Those that were not revoked. */
  keys: number
}

/** Reads the memory, and leaves it as it is. */
export async function spaceStats({ dir, accounts }: SpacesDeps, space: Space): Promise<SpaceStats> {
  const held = await holdingsOf(dir, space)
  const members = await accounts.members.list({ space: space.name })
  const keys = (await accounts.keys.list({ space: space.name })).filter(({ revokedAt }) => revokedAt === null)
  return { space, ...held, members: members.length, keys: keys.length }
}

async function holdingsOf(
  dir: string,
  { id, name }: Space,
): Promise<Pick<SpaceStats, 'nodes' | 'bytes' | 'changedAt'>> {
  const { db } = spaceFiles(dir, id)
  try {
    await using memory = await openMemory({ db, create: false, readOnly: true, rememberRoots: false })
    const { nodes, db_bytes } = await memory.overview()
    const [last] = await memory.snapshots({ limit: 1 })
    return { nodes: nodes.total, bytes: db_bytes, changedAt: last?.createdAt ?? null }
  } catch (error) {
    throw isMemoryError(error) ? aboutSpace(name, error) : error
  }
}
