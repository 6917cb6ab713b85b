import type { Accounts } from '../../core/accounts/accounts.ts'
import type { Space } from '../../core/accounts/model.ts'
import { openMemory } from '../memory/open-memory.ts'
import { spaceFiles } from './space-files.ts'

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
export async function spaceStats(
  { dir, accounts }: { dir: string; accounts: Accounts },
  space: Space,
): Promise<SpaceStats> {
  const { db } = spaceFiles(dir, space.id)
  await using memory = await openMemory({ db, create: false, readOnly: true, rememberRoots: false })
  const { nodes, db_bytes } = await memory.overview()
  const [last] = await memory.snapshots({ limit: 1 })
  const members = await accounts.members.list({ space: space.name })
  const keys = (await accounts.keys.list({ space: space.name })).filter(({ revokedAt }) => revokedAt === null)
  return {
    space,
    nodes: nodes.total,
    bytes: db_bytes,
    changedAt: last?.createdAt ?? null,
    members: members.length,
    keys: keys.length,
  }
}
