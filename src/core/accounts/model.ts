import type { LimitOverrides } from '../access/limits.ts'
import type { Role, Scope } from '../access/scopes.ts'

/** Times are Unix milliseconds. Ids are random, never change and are never given again; names can be. */
export interface User {
  id: string
  name: string
  /** Marks an administrator of the server: as long as there is none, `setup.ts` offers to make one. It gives no access to the content of a space. */
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

/** How a person proves who they are to the pages of the server. */
export interface Password {
  userId: string
  /** With its salt and cost: see `passwords.ts`. */
  hash: string
  changedAt: number
}

/** A browser in which a user is signed in. */
export interface Login {
  /** SHA-256 of its cookie, in hex. */
  id: string
  userId: string
  createdAt: number
  expiresAt: number
}

/** A program that registered itself to ask users for access. Clients known by the URL of a metadata document have no row. */
export interface OAuthClient {
  id: string
  /** As it calls itself: anybody can claim any name. */
  name: string
  /** Of a confidential client, the user it belongs to: the first one to let it in. Null: any user may let it in. */
  userId: string | null
  /** As registered (RFC 7591), in JSON. A secret is kept as its SHA-256. */
  metadata: string
  createdAt: number
}

/** What a user lets a client do in a space. There is one for the three: a client that is let in again has the same documents. */
export interface Grant {
  id: string
  userId: string
  /** Of a registered client, or the URL of a metadata document. */
  clientId: string
  spaceId: string
  /** As the client calls itself. */
  clientName: string
  scopes: readonly Scope[]
  createdAt: number
  /** Null: until it is revoked. */
  expiresAt: number | null
  lastUsedAt: number | null
  revokedAt: number | null
}

/** What the authorization server remembers: tokens, codes, and requests that wait for a person. */
export interface OAuthRecord {
  /** Such as `AccessToken`. */
  kind: string
  /** SHA-256 of the secret that a client or browser holds, in hex. Unique within a kind. */
  id: string
  /** Removed with it. */
  grantId: string | null
  /** A second name, which is not a secret. */
  uid: string | null
  /** In JSON. */
  payload: string
  expiresAt: number | null
  /** Of what can be used once. */
  consumedAt: number | null
}

/** A secret of the server itself. */
export interface ServerSecret {
  id: string
  kind: 'signing' | 'cookies' | 'setup'
  value: string
  createdAt: number
  expiresAt: number | null
}
