/** Where a secret is. */
export interface Hit {
  kind: string
  /** Of the match. */
  start: number
  /** From here on it is secret; before it stands what tells what the secret is for. */
  from: number
  end: number
}

/** Those that are replaced: of hits that overlap the first, of those that start together the longest. */
export function withoutOverlaps(hits: readonly Hit[]): Hit[] {
  const kept: Hit[] = []
  let end = 0
  // The sort is stable: hits in the same place stay in the order of their patterns.
  for (const hit of hits.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (hit.start < end) continue
    kept.push(hit)
    end = hit.end
  }
  return kept
}
