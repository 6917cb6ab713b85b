import type { ReadTx } from '../store.ts'
import type { LineageRow, Surrounding } from '../store-search.ts'
import type { Pool } from './pool.ts'
import type { Unit } from './query-model.ts'
import { type Evidence, REACH } from './rank.ts'

/** The nodes that may be an answer, each with what speaks for it. */
export interface Context {
  candidates: Evidence[]
  /** Everything above them. */
  above: ReadonlyMap<number, LineageRow>
  /** Of the nodes of the pool. */
  heat: Map<number, number>
}

/**
 * The nodes of a pool and, where `withSiblings`, those that their words reach: an answer often stands beside the words
 * that ask for it, as a reply after its question or a list below its sentence. A single word reaches nobody: siblings tell
 * something where they have what the node itself lacks.
 */
export async function contextOf(tx: ReadTx, pool: Pool, withSiblings: boolean): Promise<Context> {
  const around = await tx.surroundings(pool.keys, isSeveral(pool) ? REACH : 0)
  const above = await aboveAll(tx, around)
  const heat = new Map<number, number>()
  for (const { key, temperature } of around) heat.set(key, temperature)
  const places = placesOf(around, pool.masks)
  const maskAbove = masksAbove(above, pool.masks)
  const wanted = withSiblings
    ? [...places.values()]
    : pool.keys.map((key) => places.get(key) ?? newPlace(key, null, pool.masks))
  return { candidates: wanted.map((place) => evidenceOf(place, maskAbove)), above, heat }
}

/** A tag is looked for by its words, too, and yet is one thing to ask for. */
function isSeveral({ units: [first, ...others] }: Pool): boolean {
  return first !== undefined && others.some(({ unit }) => askedFor(unit) !== askedFor(first.unit))
}

function askedFor({ shown }: Unit): string {
  return shown.startsWith('#') ? shown.slice(1) : shown
}

async function aboveAll(tx: ReadTx, around: readonly Surrounding[]): Promise<Map<number, LineageRow>> {
  const above = new Map<number, LineageRow>()
  const next = new Set<number>()
  for (const node of around) {
    let top = node.parentKey
    for (const row of node.above) {
      above.set(row.key, row)
      top = row.parentKey
    }
    if (top !== null) next.add(top)
  }
  const unknown = [...next].filter((key) => !above.has(key))
  if (unknown.length > 0) for (const row of await tx.lineage(unknown)) above.set(row.key, row)
  return above
}

/** A node among its siblings, as far as they are known. */
interface Place {
  key: number
  parentKey: number | null
  /** The units it has, as bits. */
  mask: number
  /** Of a node of the pool. */
  row: Surrounding | undefined
  previous: Place | undefined
  next: Place | undefined
}

function newPlace(key: number, parentKey: number | null, masks: ReadonlyMap<number, number>): Place {
  return { key, parentKey, mask: masks.get(key) ?? 0, row: undefined, previous: undefined, next: undefined }
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
  for (const row of around) {
    const { key, parentKey, before, after } = row
    const here = placeOf(key, parentKey)
    here.row = row
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

function evidenceOf(place: Place, maskAbove: (key: number | null) => number): Evidence {
  const { key, parentKey, mask, row } = place
  // The words of a heading are its label; other labels are only the beginning of a text.
  const label = row?.type === 'heading' ? mask : 0
  return {
    key,
    label,
    text: mask & ~label,
    headings: maskAbove(parentKey),
    siblings: masksBeside(place),
    tokens: row?.tokens ?? 0,
  }
}

/** What the siblings one place off have, two places off and so on. */
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

/** For a node: what it has itself, or what stands above it. A label that has a word is among the nodes that have it. */
function masksAbove(
  above: ReadonlyMap<number, LineageRow>,
  masks: ReadonlyMap<number, number>,
): (key: number | null) => number {
  const known = new Map<number, number>()
  const learn = (key: number): number => {
    const line: LineageRow[] = []
    let row = above.get(key)
    for (; row && !known.has(row.key); row = above.get(row.parentKey ?? -1)) {
      line.push(row)
      // For now: a damaged memory may lead back here.
      known.set(row.key, 0)
    }
    let mask = row ? (known.get(row.key) ?? 0) : 0
    for (const { key: at } of line.reverse()) {
      mask |= masks.get(at) ?? 0
      known.set(at, mask)
    }
    return mask
  }
  return (key) => (key === null ? 0 : (known.get(key) ?? learn(key)))
}
