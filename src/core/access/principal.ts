import type { LimitOverrides, UserLimits } from './limits.ts'
import type { Scope } from './scopes.ts'

/** Identifies a writer among authenticated clients, for limits and the audit. */
export interface WriteCaller {
  userId: string
  /** Of the principal. */
  principalId: string
  /** Of the connection. */
  address: string
  /** What the user may have stored in the space. Undefined: any amount. */
  limits?: UserLimits
}

/** Who calls a signed operation; undefined for others, and where there are no accounts. */
export function callerOf(input: unknown): WriteCaller | undefined {
  return (input as { caller?: WriteCaller } | null | undefined)?.caller
}

/** An authenticated client in one space. It owns everything it stores; other clients of the same user are separate owners. */
export interface Principal {
  /** Never changes and is never given again: of an API key, its id; of an OAuth client, that of the grant. */
  id: string
  /** The key it was derived from, over any number of keys; its own `id` if it was not. They share a rate limit. */
  rootId: string
  /** The signature on its writes: the name of its user, and `id`. */
  author: string
  userId: string
  /** As the user is called now. */
  user: string
  /** What the user may store, where it is not the default. */
  limits: LimitOverrides
  spaceId: string
  /** As the space is called now. */
  space: string
  /** The scopes that its key grants and its user's role allows. */
  scopes: readonly Scope[]
  /** When those expire, in Unix milliseconds. Null: never. */
  until: number | null
}
