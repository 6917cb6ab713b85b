import type { LinkReads, LinkSelect, StoredLink } from '../port/links.ts'
import { linkFilter } from './select.ts'

/** What was asked by value, and can be left out where it is asked again. */
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

/** A large operation would hold too many: what is left out is asked for at its end. */
const MAX_LINKS = 10_000

/** The links that an operation has seen so far: of what was asked once, nothing is asked again. */
export function createKnownLinks() {
  const rows = new Map<number, StoredLink>()
  const asked = new Map<Term, Set<unknown>>()

  function isKnown(term: Term, value: unknown): boolean {
    return asked.get(term)?.has(value) ?? false
  }
  function unknown(select: LinkSelect): LinkSelect {
    if (asked.size === 0) return select
    const left = TERMS.map((term) => [term, (select[term] ?? []).filter((value) => !isKnown(term, value))])
    return { ...select, ...Object.fromEntries(left) }
  }
  return {
    clear(): void {
      rows.clear()
      asked.clear()
    },
    add(select: LinkSelect, found: readonly StoredLink[]): void {
      if (rows.size + found.length > MAX_LINKS) return
      for (const row of found) rows.set(row.id, row)
      for (const term of TERMS) {
        const values = asked.get(term) ?? new Set()
        for (const value of select[term] ?? []) values.add(value)
        asked.set(term, values)
      }
    },
    /** In the order of their places. */
    async find(tx: Pick<LinkReads, 'links'>, select: LinkSelect): Promise<StoredLink[]> {
      const left = unknown(select)
      const isAny = Object.values(left).some((list) => list.length > 0)
      const found = isAny ? await tx.links(left) : []
      const known = rows.size === 0 ? [] : [...rows.values()].filter(linkFilter(select))
      if (known.length === 0) return found
      const all = new Map([...known, ...found].map((row) => [row.id, row]))
      return [...all.values()].sort((a, b) => a.place - b.place)
    },
  }
}

export type KnownLinks = ReturnType<typeof createKnownLinks>
