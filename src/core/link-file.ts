import { DEFAULT_WEIGHT } from './link.ts'
import { RELATIVE } from './link-parts.ts'
import type { Link } from './model.ts'

/** The files that are read: only they can have nodes that a link leads to. `ingest/parsers.test.ts` compares. */
const READ = /\.(?:md|markdown|mdx|txt|text|html?|ya?ml|jsonl?|ndjson|toon)$/i
/** `https:`, `mailto:`, and what begins with two slashes. */
const ELSEWHERE = /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i

/** The link that `[text](../a.md#b)` is, from its destination; undefined when that is no file that is read. */
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
    // A percent sign that encodes nothing is one.
    return part
  }
}
