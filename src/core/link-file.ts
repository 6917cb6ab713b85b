import { DEFAULT_WEIGHT } from './link.ts'
import { RELATIVE } from './link-parts.ts'
import type { Link } from './model.ts'

/**
 * Extensions of the files that are parsed: only they have nodes that a link can lead to. `ingest/parsers.test.ts`
 * compares.
 */
const READ = /\.(?:md|markdown|mdx|txt|text|html?|ya?ml|jsonl?|ndjson|toon)$/i
/** `https:`, `mailto:`, and URLs that begin with two slashes. */
const ELSEWHERE = /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i

/** The link for `[text](../a.md#b)`, from its destination; undefined unless that is a file that is parsed. */
export function fileLink(destination: string): Link | undefined {
  if (ELSEWHERE.test(destination)) return undefined
  const [path = '', anchor = ''] = destination.split('#').map(decoded)
  if (!READ.test(path) || /[#|\n]/.test(path)) return undefined
  return {
    label: anchor === '' ? path : `${path}#${anchor}`,
    weight: DEFAULT_WEIGHT,
    source: RELATIVE,
    id: '',
  }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    // A percent sign that encodes nothing is literal.
    return part
  }
}
