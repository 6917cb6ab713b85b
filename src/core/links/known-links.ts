import type { LinkReads, LinksFitting, StoredLink } from '../port/links.ts'
import { linkFilter } from './select.ts'

/** Conditions by value, which need not be requested twice. */
const TERMS = [
  'of',
  'inDocuments',
  'named',
  'toFiles',
  'intoFiles',
  'toSections',
  'toOwnBlocksOf',
  'toIds',
] as const
type Term = (typeof TERMS)[number]

/** Limits the memory of a large operation: links beyond it are read at its end. */
const MAX_LINKS = 10_000

/** The links that an operation has read so far: nothing is read twice. */
export function createKnownLinks() {
  const rows = new Map<number, StoredLink>()
  const asked = new Map<Term, Set<unknown>>()

  /** The conditions that were not requested yet; undefined: none. */
  function unknown(select: LinksFitting): LinksFitting | undefined {
    if (asked.size === 0) return Object.values(select).some((list) => list.length > 0) ? select : undefined
    const left: Record<string, readonly unknown[]> = {}
    if (select.astray && select.astray.length > 0) left.astray = select.astray
    for (const term of TERMS) {
      const values: readonly unknown[] = select[term] ?? []
      const known = asked.get(term)
      const others = known ? values.filter((value) => !known.has(value)) : values
      if (others.length > 0) left[term] = others
    }
    return Object.keys(left).length > 0 ? (left as LinksFitting) : undefined
  }
  return {
    clear(): void {
      rows.clear()
      asked.clear()
    },
    add(select: LinksFitting, found: readonly StoredLink[]): void {
      if (rows.size + found.length > MAX_LINKS) return
      for (const row of found) rows.set(row.id, row)
      for (const term of TERMS) {
        const values: readonly unknown[] = select[term] ?? []
        if (values.length === 0) continue
        const known = asked.get(term)
        if (!known) asked.set(term, new Set(values))
        else for (const value of values) known.add(value)
      }
    },
    /** By place. */
    async find(tx: Pick<LinkReads, 'links'>, select: LinksFitting): Promise<StoredLink[]> {
      const left = unknown(select)
      const found = left ? await tx.links(left) : []
      const known = rows.size === 0 ? [] : [...rows.values()].filter(linkFilter(select))
      if (known.length === 0) return found
      const all = new Map([...known, ...found].map((row) => [row.id, row]))
      return [...all.values()].sort((a, b) => a.place - b.place)
    },
  }
}

export type KnownLinks = ReturnType<typeof createKnownLinks>
