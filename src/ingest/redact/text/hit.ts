/** Where a secret is. */
export interface Hit {
  kind: string
  /** Of the match. */
  start: number
  /** The secret starts here; the text before it names its purpose. */
  from: number
  end: number
}

/** The hits to replace: of overlapping ones the first, of those that start together the longest. */
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
