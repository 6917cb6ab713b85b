import type { LineageRow, NodeFacts } from '../port/nodes.ts'
import type { HitReader } from './hit-reader.ts'
import { type CountedUnit, unitsIn } from './pool-best.ts'
import type { Ranked } from './rank.ts'
import { matcherOf, type UnitMatch } from './unit-matches.ts'

export interface RankedNode extends Ranked {
  facts: NodeFacts
}

/** Characters of a text in which the words may be near each other. */
const MAX_READ = 4000

/** Compares equal nodes; what it needs of them has been read. */
type Compare = (a: RankedNode, b: RankedNode) => number
type Stage = (
  reader: HitReader,
  tied: readonly RankedNode[],
  others: { units: readonly CountedUnit[]; all: readonly RankedNode[] },
) => Promise<Compare>

/** What decides between equal scores: nearness of the words, then the shorter text, then the path, then the place in a document. */
const STAGES: readonly Stage[] = [byNearness, byLength, byPath, byPlace]

/**
 * The first `count` nodes by score. The order does not depend on the count: only ties that nobody will see are left undecided.
 * Without units equal nodes stay in the order that is given.
 */
export async function bestFirst(
  reader: HitReader,
  nodes: readonly RankedNode[],
  units: readonly CountedUnit[],
  count: number,
): Promise<RankedNode[]> {
  let groups = seen(
    runsOf(nodes, (a, b) => b.score - a.score),
    count,
  )
  for (const stage of units.length > 0 ? STAGES : []) {
    const tied = groups.filter((group) => group.length > 1).flat()
    if (tied.length === 0) break
    const compare = await stage(reader, tied, { units, all: groups.flat() })
    groups = seen(
      groups.flatMap((group) => (group.length > 1 ? runsOf(group, compare) : [group])),
      count,
    )
  }
  return groups.flat().slice(0, count)
}

/** In order, equal ones together. */
function runsOf(nodes: readonly RankedNode[], compare: Compare): RankedNode[][] {
  const runs: RankedNode[][] = []
  let last: RankedNode | undefined
  for (const node of nodes.toSorted(compare)) {
    if (last && compare(last, node) === 0) runs.at(-1)?.push(node)
    else runs.push([node])
    last = node
  }
  return runs
}

/** Without the groups that begin after the first `count` nodes. */
function seen(groups: RankedNode[][], count: number): RankedNode[][] {
  let before = 0
  return groups.filter((group) => {
    const isSeen = before < count
    before += group.length
    return isSeen
  })
}

async function byNearness(
  reader: HitReader,
  tied: readonly RankedNode[],
  { units, all }: { units: readonly CountedUnit[]; all: readonly RankedNode[] },
): Promise<Compare> {
  const several = tied.filter((node) => ownUnits(node) > 1)
  const distances = new Map<number, number>()
  if (several.length > 0) {
    const matchesOf = matcherOf(units.map(({ unit }) => unit))
    await loadAll(reader, all)
    for (const { facts, evidence } of several) {
      const mask = evidence.label | evidence.text
      const text = (reader.rows.get(facts.key)?.text ?? '').slice(0, MAX_READ)
      distances.set(facts.key, distanceOf(matchesOf(text, unitsIn(mask, units)), mask))
    }
  }
  const distance = ({ facts }: RankedNode): number => distances.get(facts.key) ?? 0
  return (a, b) => ownUnits(b) - ownUnits(a) || distance(a) - distance(b)
}

/** All that may be shown of them, and with it all that decides between them: in one round trip. */
async function loadAll(reader: HitReader, nodes: readonly RankedNode[]): Promise<void> {
  await reader.load(nodes.map(({ facts }) => facts.key))
}

/** What stands in the node itself is nearer than what stands around it. */
function ownUnits({ evidence }: RankedNode): number {
  let count = 0
  for (let mask = evidence.label | evidence.text; mask !== 0; mask &= mask - 1) count++
  return count
}

/**
 * How far apart the units of a mask are where they are nearest: characters between them, in powers of two. Beyond side by side a few
 * characters more tell nothing.
 */
function distanceOf(all: readonly UnitMatch[], mask: number): number {
  const matches = all.filter(({ unit }) => mask & (1 << unit))
  const counts = new Map<number, number>()
  const lengths = new Map<number, number>()
  let missing = mask
  let least = Number.MAX_SAFE_INTEGER
  let first = 0
  for (const { unit, start, end } of matches) {
    counts.set(unit, (counts.get(unit) ?? 0) + 1)
    lengths.set(unit, end - start)
    missing &= ~(1 << unit)
    for (; missing === 0; first++) {
      const left = matches[first] as UnitMatch
      const own = [...lengths.values()].reduce((sum, length) => sum + length, 0)
      least = Math.min(least, Math.max(0, end - left.start - own))
      const rest = (counts.get(left.unit) ?? 0) - 1
      counts.set(left.unit, rest)
      if (rest === 0) missing |= 1 << left.unit
    }
  }
  return Math.floor(Math.log2(least + 1))
}

async function byLength(): Promise<Compare> {
  return byNumber(({ facts }) => facts.tokens)
}

/** Documents without a path of their own are in the order in which they were made. */
async function byPath(
  reader: HitReader,
  tied: readonly RankedNode[],
  { all }: { all: readonly RankedNode[] },
): Promise<Compare> {
  await loadAll(reader, all)
  const paths = new Map(tied.map(({ facts }) => [facts.documentId, reader.rows.get(facts.key)?.source ?? '']))
  const sorted = [...paths].sort(([a, path], [b, other]) => byCode(path, other) || a - b)
  const places = new Map(sorted.map(([documentId], at) => [documentId, at]))
  return byNumber(({ facts }) => places.get(facts.documentId) ?? 0)
}

async function byPlace(reader: HitReader, tied: readonly RankedNode[]): Promise<Compare> {
  const lines = new Map<number, string[]>()
  for (const { facts } of tied) lines.set(facts.key, positionsTo(facts.key, reader.above))
  const lineOf = ({ facts }: RankedNode): string[] => lines.get(facts.key) ?? []
  return (a, b) => byPositions(lineOf(a), lineOf(b)) || a.facts.key - b.facts.key
}

/** From the root. */
function positionsTo(key: number, rows: ReadonlyMap<number, LineageRow>): string[] {
  const line: LineageRow[] = []
  let row = rows.get(key)
  // A damaged memory may lead in circles.
  while (row && !line.includes(row)) {
    line.push(row)
    row = rows.get(row.parentKey ?? -1)
  }
  return line.map(({ position }) => position).reverse()
}

/** What stands above comes before what it has below. */
function byPositions(a: readonly string[], b: readonly string[]): number {
  for (const [at, position] of a.entries()) {
    const other = b[at]
    if (other === undefined) return 1
    if (position !== other) return byCode(position, other)
  }
  return a.length - b.length
}

function byNumber(numberOf: (node: RankedNode) => number): Compare {
  return (a, b) => numberOf(a) - numberOf(b)
}

function byCode(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
