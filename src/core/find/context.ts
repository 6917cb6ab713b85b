import type { NodeFacts } from '../port/nodes.ts'
import type { Surrounding } from '../port/search.ts'
import type { ReadTx } from '../port/store.ts'
import type { Pool } from './pool.ts'
import { isEmpty } from './query/query-filters.ts'
import type { Query, Unit } from './query/query-model.ts'
import { type Evidence, REACH } from './rank.ts'

/** A possible hit. */
export interface Candidate {
  evidence: Evidence
  /** Only for nodes of the pool; facts of others are read if needed. */
  facts: NodeFacts | undefined
}

/**
 * The nodes of a pool that pass the filters and, unless the query has operators, siblings that their words reach: an
 * answer is often beside the words that ask for it, like a reply after its question or a list below its sentence. A
 * single word reaches no siblings: they only help with words that the node lacks. A heading without any of the words is
 * not a hit: its neighbours are found by themselves.
 */
export async function candidatesOf(tx: ReadTx, pool: Pool, query: Query): Promise<Candidate[]> {
  if (pool.keys.length === 0 && !pool.crowd) return []
  const withSiblings = query.expression === null && pool.units.length > 0
  const filters = withSiblings && !isEmpty(query.filters) ? query.filters : undefined
  const reach = isSeveral(pool) ? REACH : 0
  const { nodes: around, parents, passing } = await tx.surroundings(pool.keys, reach, filters, pool.crowd)
  const isPassing = passing && new Set(passing)
  const own = new Map<number, NodeFacts>()
  const headings = new Set<number>()
  for (const row of around) {
    own.set(row.key, row)
    for (const key of row.headings) headings.add(key)
  }
  const places = placesOf(around, pool.masks)
  const maskAbove = masksAbove(parents, pool.masks)
  const wanted = withSiblings ? places.keys() : new Set([...pool.keys, ...own.keys()])
  const candidates: Candidate[] = []
  for (const key of wanted) {
    const [facts, place] = [own.get(key), places.get(key)]
    const isPossible = facts ? !pool.beside.has(key) : !headings.has(key) && (isPassing?.has(key) ?? true)
    if (place && isPossible) candidates.push({ evidence: evidenceOf(place, facts, maskAbove), facts })
  }
  return candidates
}

/** A tag is also searched by its words, but is one thing to search for. */
function isSeveral({ units: [first, ...others] }: Pool): boolean {
  return first !== undefined && others.some(({ unit }) => askedFor(unit) !== askedFor(first.unit))
}

function askedFor({ shown }: Unit): string {
  return shown.startsWith('#') ? shown.slice(1) : shown
}

type Parents = ReadonlyMap<number, number | null>

/** A node among its known siblings. */
interface Place {
  key: number
  parentKey: number | null
  /** The units it has, as bits. */
  mask: number
  previous: Place | undefined
  next: Place | undefined
}

function newPlace(key: number, parentKey: number | null, masks: ReadonlyMap<number, number>): Place {
  return { key, parentKey, mask: masks.get(key) ?? 0, previous: undefined, next: undefined }
}

function placesOf(
  around: readonly Surrounding[],
  masks: ReadonlyMap<number, number>,
): ReadonlyMap<number, Place> {
  const places = new Map<number, Place>()
  // Siblings have the same parent.
  const placeOf = (key: number, parentKey: number | null): Place => {
    const known = places.get(key)
    if (known) return known
    const place = newPlace(key, parentKey, masks)
    places.set(key, place)
    return place
  }
  for (const { key, parentKey, before, after } of around) {
    const here = placeOf(key, parentKey)
    let left = here
    for (const sibling of before) {
      const previous = placeOf(sibling, parentKey)
      link(previous, left)
      left = previous
    }
    let right = here
    for (const sibling of after) {
      const next = placeOf(sibling, parentKey)
      link(right, next)
      right = next
    }
  }
  return places
}

function link(left: Place, right: Place): void {
  left.next = right
  right.previous = left
}

function evidenceOf(
  place: Place,
  facts: NodeFacts | undefined,
  maskAbove: (key: number | null) => number,
): Evidence {
  const { key, parentKey, mask } = place
  // The words of a heading are its label; other labels are only the beginning of a text.
  const label = facts?.type === 'heading' ? mask : 0
  return {
    key,
    label,
    text: mask & ~label,
    headings: maskAbove(parentKey),
    siblings: masksBeside(place),
    tokens: facts?.tokens ?? 0,
  }
}

/** The units of siblings one place away, two places away, and so on. */
function masksBeside(place: Place): number[] {
  const found: number[] = []
  let left: Place | undefined = place
  let right: Place | undefined = place
  for (let distance = 0; distance < REACH; distance++) {
    left = left?.previous
    right = right?.next
    found.push((left?.mask ?? 0) | (right?.mask ?? 0))
  }
  return found
}

/** For a node: its own units, or those above it. A label with a word is one of the nodes that have it. */
function masksAbove(parents: Parents, masks: ReadonlyMap<number, number>): (key: number | null) => number {
  const known = new Map<number, number>()
  const learn = (key: number): number => {
    const line: number[] = []
    let at: number | null = key
    for (; at !== null && parents.has(at) && !known.has(at); at = parents.get(at) ?? null) {
      line.push(at)
      // Temporarily: a damaged memory may have cycles.
      known.set(at, 0)
    }
    let mask = at === null ? 0 : (known.get(at) ?? 0)
    for (const one of line.reverse()) {
      mask |= masks.get(one) ?? 0
      known.set(one, mask)
    }
    return mask
  }
  return (key) => (key === null ? 0 : (known.get(key) ?? learn(key)))
}
