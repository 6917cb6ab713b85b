import { needs, shown } from '../errors.ts'
import { getNode } from '../operation.ts'
import type { ReadTx, Store } from '../store.ts'
import type { NodeName } from '../store-heat.ts'
import type { BriefRow } from '../store-outline.ts'
import { bestPaths, type Paths, type Step } from './best-paths.ts'
import { roomOf } from './budget.ts'
import {
  MAX_HOPS,
  RELATED_DIRECTIONS,
  type RelatedAnswer,
  type RelatedInput,
  type RelatedStep,
} from './related-model.ts'
import { fitRelated } from './related-text.ts'

export interface RelatedResult extends RelatedAnswer {
  read: NodeName[]
}

/** What is linked to a node, directly or over others, with the way there. */
export async function related(store: Store, input: RelatedInput): Promise<RelatedResult> {
  const { anchor, direction = 'both', depth = 1, minWeight = 0, budget = 1000, limit = 100 } = input ?? {}
  needs(typeof anchor === 'string', 'related needs { anchor }: the id of the node to begin at')
  check({ direction, depth, minWeight, limit })
  const room = roomOf(budget)
  const directions = direction === 'both' ? (['out', 'in'] as const) : [direction]
  const answer = await store.read(async (tx) => {
    const { key: start } = await getNode(tx, anchor, 'anchor')
    const reached = await bestPaths(tx, { start, directions, depth, minWeight })
    return rank(tx, reached, limit)
  })
  const fitting = fitRelated({ anchor, ...answer }, room)
  return { ...fitting, read: answer.read.slice(0, fitting.related.length) }
}

function check({
  direction,
  depth,
  minWeight,
  limit,
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
}

type Rows = ReadonlyMap<number, BriefRow>

async function rank(
  tx: ReadTx,
  { found, isComplete }: Paths,
  limit: number,
): Promise<Omit<RelatedResult, 'anchor'>> {
  const chosen = await choose(tx, found, limit)
  const keys = new Set(chosen.flatMap((step) => stepsTo(step).map(({ key }) => key)))
  const rows: Rows = new Map((await tx.briefNodes([...keys])).map((row) => [row.key, row]))
  const nodes = chosen.map((step) => {
    const { id, type, label, source, tokens, temperature } = rows.get(step.key) as BriefRow
    const via = pathTo(step, rows)
    return { id, type, label, path: source, hop: step.hop, weight: step.sum, temperature, tokens, via }
  })
  const read = chosen.map(({ key }, at) => ({ id: nodes[at]?.id ?? '', key }))
  return { related: nodes, leftOut: found.length - nodes.length, isComplete, read }
}

/** Heat and age decide between equal weights only: heat is asked of those that may get in. */
async function choose(tx: ReadTx, found: Step[], limit: number): Promise<Step[]> {
  const sums = found.map(({ sum }) => sum).sort((a, b) => descending(a, b))
  const least = sums[limit - 1] ?? -Infinity
  const steps = found.filter(({ sum }) => sum >= least)
  const heat = new Map((await tx.heat(steps.map(({ key }) => key))).map(({ key, value }) => [key, value]))
  const warmth = ({ key }: Step): number => heat.get(key) ?? 0
  return steps
    .sort((a, b) => descending(a.sum, b.sum) || descending(warmth(a), warmth(b)) || a.key - b.key)
    .slice(0, limit)
}

/** Not a difference: weights may be too large for one. */
function descending(a: number, b: number): number {
  return a === b ? 0 : a > b ? -1 : 1
}

function pathTo(step: Step, rows: Rows): RelatedStep[] {
  return stepsTo(step).flatMap(({ key, edge }) => {
    const row = rows.get(key)
    if (!edge || !row) return []
    return [
      { id: row.id, label: row.label, weight: edge.weight, direction: edge.direction, origin: edge.origin },
    ]
  })
}

/** From the start on, without it. */
function stepsTo(step: Step): Step[] {
  return step.before ? [...stepsTo(step.before), step] : []
}
