/** Where a pattern matches. */
export interface Hit {
  kind: string
  /** Of the match. */
  start: number
  /** From here on it is secret; before it stands what tells what the secret is for. */
  from: number
  end: number
}

export interface Pattern {
  kind: string
  /** What a text must have somewhere to have a hit: quicker to look for. Without flags. Null: always look for hits. */
  sign: RegExp | null
  /** In order, without overlaps. Time grows with the length of the text, whatever the text is. */
  find(text: string): Iterable<Omit<Hit, 'kind'>>
}

/** Finds every hit of every pattern in a text as it is. Most texts have none, which one look tells. */
export function createFinder(patterns: readonly Pattern[]): (text: string) => Hit[] {
  const signs = patterns.flatMap(({ sign }) => (sign ? [`(?:${sign.source})`] : []))
  const anySign = new RegExp(signs.join('|'))
  const signed = patterns.filter(({ sign }) => sign !== null)
  const unsigned = patterns.filter(({ sign }) => sign === null)
  return (text) => {
    const hits = signs.length > 0 && anySign.test(text) ? hitsOf(signed, text) : []
    return unsigned.length === 0 ? hits : [...hits, ...hitsOf(unsigned, text)]
  }
}

function hitsOf(patterns: readonly Pattern[], text: string): Hit[] {
  const hits: Hit[] = []
  for (const { kind, sign, find } of patterns) {
    if (sign?.test(text) === false) continue
    for (const hit of find(text)) hits.push({ kind, ...hit })
  }
  return hits
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
