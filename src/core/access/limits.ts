/** The quota of a user in a space. A missing limit: any amount. */
export interface UserLimits {
  memories?: number
  /** Of all texts, in UTF-8. */
  bytes?: number
}

/** A limit that is no limit. */
export type Limit = number | 'none'

/** What a user may have instead of the default. A missing limit: the default. */
export interface LimitOverrides {
  memories?: Limit
  bytes?: Limit
}

/** What users may store in each space, unless they have limits of their own. */
export interface QuotaDefaults {
  memories: Limit
  bytes: Limit
  /** Names of users who may store any amount. */
  exemptUsers: readonly string[]
}

/** The limits in force for a client. */
export function limitsFor(
  { user, limits }: { user: string; limits: LimitOverrides },
  { exemptUsers, ...defaults }: QuotaDefaults,
): UserLimits {
  if (exemptUsers.includes(user)) return {}
  const { memories, bytes } = { ...defaults, ...limits }
  return { ...(memories !== 'none' && { memories }), ...(bytes !== 'none' && { bytes }) }
}
