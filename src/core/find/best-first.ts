import type { LineageRow, NodeFacts } from '../port/nodes.ts'
import type { HitReader } from './hit-reader.ts'
import { type CountedUnit, unitsIn } from './pool-best.ts'
import type { Ranked } from './rank.ts'
import { matcherOf, type UnitMatch } from './unit-matches.ts'

export interface RankedNode extends Ranked {
  facts: NodeFacts
}

/** How far into a text words may be near each other, in characters. */
const MAX_READ = 4000

/** Compares nodes with equal scores; the facts that it needs are already read. */
type Compare = (a: RankedNode, b: RankedNode) => number
type Stage = (
  reader: HitReader,
  tied: readonly RankedNode[],
  others: { units: readonly CountedUnit[]; all: readonly RankedNode[] },
) => Promise<Compare>

/**
 * Breaks ties between equal scores: nearness of the words, then the shorter text, then the path, then the place in the
 * document.
 */
const STAGES: readonly Stage[] = [byNearness, byLength, byPath, byPlace]

/**
 * The first `count` nodes by score. The order does not depend on the count: only invisible ties are left undecided.
 * Without units, equal nodes keep the given order.
 */
export async function bestFirst(
  reader: HitReader,
  nodes: readonly RankedNode[],
  units: readonly CountedUnit[],
  count: number,
): Promise<RankedNode[]> {
  let groups = visibleGroups(
    runsOf(nodes, (a, b) => b.score - a.score),
    count,
  )
  for (const stage of units.length > 0 ? STAGES : []) {
    const tied = groups.filter((group) => group.length > 1).flat()
    if (tied.length === 0) break
    const compare = await stage(reader, tied, { units, all: groups.flat() })
    groups = visibleGroups(
      groups.flatMap((group) => (group.length > 1 ? runsOf(group, compare) : [group])),
      count,
    )
  }
  return groups.flat().slice(0, count)
}

/** Sorted, with equal nodes grouped. */
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
function visibleGroups(groups: RankedNode[][], count: number): RankedNode[][] {
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

/** Everything that may be shown of them, including what breaks ties: in one round trip. */
async function loadAll(reader: HitReader, nodes: readonly RankedNode[]): Promise<void> {
  await reader.load(nodes.map(({ facts }) => facts.key))
}

/** Words in the node itself are nearer than words around it. */
function ownUnits({ evidence }: RankedNode): number {
  let count = 0
  for (let mask = evidence.label | evidence.text; mask !== 0; mask &= mask - 1) count++
  return count
}

/**
 * The smallest distance between the units of a mask, in characters, as a power of two. Beyond adjacent words, a few
 * more characters make no difference.
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

/** Documents without a path are in order of creation. */
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
  // A damaged memory may have cycles.
  while (row && !line.includes(row)) {
    line.push(row)
    row = rows.get(row.parentKey ?? -1)
  }
  return line.map(({ position }) => position).reverse()
}

/** Ancestors come before their descendants. */
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
