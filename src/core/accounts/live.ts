/** What stops working at a time, or when it is revoked. */
export interface Ending {
  revokedAt: number | null
  expiresAt: number | null
}

/** Neither revoked nor expired; of a key, regardless of the keys above it. */
export function isLive({ revokedAt, expiresAt }: Ending, now: number): boolean {
  return revokedAt === null && !isExpired({ expiresAt }, now)
}

export function isExpired({ expiresAt }: Pick<Ending, 'expiresAt'>, now: number): boolean {
  return expiresAt !== null && now >= expiresAt
}

/** When it stopped working, or will: infinity for never. */
export function stoppedAt({ revokedAt, expiresAt }: Ending): number {
  return Math.min(revokedAt ?? Number.POSITIVE_INFINITY, expiresAt ?? Number.POSITIVE_INFINITY)
}

export function earliest(times: readonly (number | null)[]): number | null {
  const known = times.filter((time) => time !== null)
  return known.length === 0 ? null : Math.min(...known)
}
