import { needs, shown } from '../../errors.ts'
import type { NodeName } from '../../port/heat.ts'
import type { BriefRow } from '../../port/nodes.ts'
import type { ReadTx, Store } from '../../port/store.ts'
import { getNode } from '../../write/operation.ts'
import { roomOf } from '../budget.ts'
import { bestPaths, type Paths, type Step } from './best-paths.ts'
import type { Neighbour } from './neighbours.ts'
import {
  MAX_HOPS,
  RELATED_DIRECTIONS,
  type RelatedAnswer,
  type RelatedInput,
  type RelatedNode,
  type RelatedStep,
} from './related-model.ts'
import { fitRelated } from './related-text.ts'

export interface RelatedResult extends RelatedAnswer {
  read: NodeName[]
}

/** The nodes linked to a node, directly or over others, with their paths. */
export async function related(store: Pick<Store, 'read'>, input: RelatedInput): Promise<RelatedResult> {
  const { anchor, direction = 'both', depth = 1, minWeight = 0, budget = 1000 } = input ?? {}
  const { limit = 100, offset = 0 } = input ?? {}
  needs(typeof anchor === 'string', 'related needs { anchor }: the id of the start node')
  check({ direction, depth, minWeight, limit, offset })
  const room = roomOf(budget)
  const directions = direction === 'both' ? (['out', 'in'] as const) : [direction]
  const answer = await store.read(async (tx) => {
    const { key: start } = await getNode(tx, anchor)
    const reached = await bestPaths(tx, { start, directions, depth, minWeight })
    return rank(tx, reached, { limit, offset })
  })
  const fitting = fitRelated({ anchor, ...answer }, room, offset)
  return { ...fitting, read: answer.read.slice(0, fitting.related.length) }
}

function check({
  direction,
  depth,
  minWeight,
  limit,
  offset,
}: Required<Omit<RelatedInput, 'anchor' | 'budget'>>): void {
  const isKnown = RELATED_DIRECTIONS.includes(direction)
  needs(isKnown, `direction must be one of ${RELATED_DIRECTIONS.join(', ')}`)
  const isInReach = Number.isInteger(depth) && depth >= 1 && depth <= MAX_HOPS
  needs(isInReach, `depth must be a whole number from 1 to ${MAX_HOPS}, got ${shown(depth)}`)
  needs(Number.isFinite(minWeight), 'min_weight must be a number')
  needs(
    Number.isSafeInteger(limit) && limit >= 1,
    `limit must be a positive whole number, got ${shown(limit)}`,
  )
  needs(
    Number.isSafeInteger(offset) && offset >= 0,
    `offset must be a whole number from 0, got ${shown(offset)}`,
  )
}

type Rows = ReadonlyMap<number, BriefRow>

async function rank(
  tx: ReadTx,
  { found, isComplete }: Paths,
  { limit, offset }: { limit: number; offset: number },
): Promise<Omit<RelatedResult, 'anchor'>> {
  const chosen = (await choose(tx, found, offset + limit)).map(wayTo)
  const keys = new Set(chosen.flatMap((way) => way.map(({ key }) => key)))
  const rows: Rows = new Map((await tx.nodes({ keys: [...keys] }, 'brief')).map((row) => [row.key, row]))
  const ends = chosen
    .map((way) => toEnd(way, rows))
    .sort(isBetter)
    .slice(offset)
  const end = offset + ends.length
  return {
    related: ends.map(({ way, row }) => toRelated(way, row, rows)),
    leftOut: Math.max(0, found.length - end),
    next: end < found.length ? end : null,
    ...(found.length > 0 && offset >= found.length ? { pastEnd: offset } : {}),
    isComplete,
    read: ends.map(({ row: { id, key } }) => ({ id, key })),
  }
}

/**
 * The heaviest, unordered. Heat and age decide only between equal weights: heat is read only for nodes that may not
 * fit.
 */
async function choose(tx: ReadTx, found: Step[], limit: number): Promise<Step[]> {
  if (found.length <= limit) return found
  const least = found.map(({ sum }) => sum).sort(descending)[limit - 1] as number
  const sure = found.filter(({ sum }) => sum > least)
  const equal = found.filter(({ sum }) => sum === least)
  if (sure.length + equal.length === limit) return sure.concat(equal)
  const heat = new Map(
    (await tx.nodes({ keys: equal.map(({ key }) => key) }, 'facts')).map(({ key, temperature }) => [
      key,
      temperature,
    ]),
  )
  const warmth = ({ key }: Step): number => heat.get(key) ?? 0
  equal.sort((a, b) => descending(warmth(a), warmth(b)) || a.key - b.key)
  return sure.concat(equal.slice(0, limit - sure.length))
}

/** Not a difference: weights may overflow. */
function descending(a: number, b: number): number {
  return a === b ? 0 : a > b ? -1 : 1
}

/** A path from its first edge to its end; never empty. */
type Way = [...Step[], Step]

function wayTo(end: Step): Way {
  const way: Way = [end]
  for (let step = end.before; step?.edge; step = step.before) way.unshift(step)
  return way
}

interface End {
  way: Way
  row: BriefRow
  sum: number
}

function toEnd(way: Way, rows: Rows): End {
  const { key, sum } = way.at(-1) as Step
  return { way, sum, row: rows.get(key) as BriefRow }
}

function isBetter(a: End, b: End): number {
  return descending(a.sum, b.sum) || descending(a.row.temperature, b.row.temperature) || a.row.key - b.row.key
}

function toRelated(way: Way, row: BriefRow, rows: Rows): RelatedNode {
  const { id, type, label, source, tokens, temperature } = row
  const { hop, sum } = way.at(-1) as Step
  const via = way.map((step) => toStep(step, rows))
  return { id, type, label, path: source, hop, weight: sum, temperature, tokens, via }
}

function toStep({ key, edge }: Step, rows: Rows): RelatedStep {
  const { id, label } = rows.get(key) as BriefRow
  const { weight, direction, origin } = edge as Neighbour
  return { id, label, weight, direction, origin }
}
