import type { Scope } from './scopes.ts'

/** An authenticated client in one space. What it stores belongs to it; other clients of the same user are others. */
export interface Principal {
  /** Never changes and is never given again: of an API key, its id; of an OAuth client, that of the grant. */
  id: string
  /** Signs what the client writes: the name of its user, and `id`. */
  author: string
  userId: string
  spaceId: string
  /** As the space is called now. */
  space: string
  /** What its key grants and its user's role allows. */
  scopes: readonly Scope[]
}
