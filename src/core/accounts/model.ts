import type { LimitOverrides } from '../access/limits.ts'
import type { Role, Scope } from '../access/scopes.ts'

/** Times are Unix milliseconds. Ids are random, never change and are never given again; names can be. */
export interface User {
  id: string
  name: string
  /** Marks an administrator of the server. Nothing uses it yet; it gives no access to the content of a space. */
  isAdmin: boolean
  createdAt: number
  disabledAt: number | null
  /** What they may store in each space, where it is not the default. */
  limits: LimitOverrides
}

export interface Space {
  id: string
  name: string
  createdAt: number
  /** Kept, and not served. */
  archivedAt: number | null
}

export interface Member {
  spaceId: string
  userId: string
  role: Role
  addedAt: number
}

export interface ApiKey {
  id: string
  userId: string
  spaceId: string
  /** The key that created this one. */
  parentId: string | null
  /** For people: which agent or machine uses it. */
  label: string
  scopes: readonly Scope[]
  createdAt: number
  expiresAt: number | null
  lastUsedAt: number | null
  revokedAt: number | null
  /** SHA-256 of the whole key, in hex. The key itself is shown once and never stored. */
  hash: string
  /** The key that a rotation replaced, which works until then. */
  previous: { hash: string; until: number } | null
}
