import { countCodePoints } from '../../util/text/code-points.ts'
import { pythonRepr } from '../../util/text/python-text.ts'
import { plural } from '../../util/text/units.ts'
import { keyLine } from './item.ts'
import { clamp } from './list.ts'
import type { KeyReadDeps } from './model.ts'
import { rankKeys, type ScoredKey, type Weights } from './search.ts'

const BUDGET = 2000
const MAX_BUDGET = 100_000
/** The header is written last: room is reserved for the longest one. */
const LONGEST = { count: 999, tokens: 99_999 }

export const ORDERINGS = ['relevance+recency', 'relevance', 'recency'] as const
export type Ordering = (typeof ORDERINGS)[number]

/** The weights of each ordering; recency only orders the keys that were found. */
const WEIGHTS: Record<Ordering, Partial<Weights>> = {
  'relevance+recency': {},
  relevance: { recency: 0 },
  recency: { keyword: 0, recency: 1 },
}

export interface PackInput {
  topic: string
  /** From 1 to 100,000; default 2000. */
  budgetTokens?: number
  /** An unknown ordering counts as the first one. */
  ordering?: string
}

/**
 * The values of the keys that match a topic, as many as fit: whole values only, best first. Never exceeds the budget.
 */
export async function packKeys(deps: KeyReadDeps, input: PackInput): Promise<string> {
  const topic = input.topic.toWellFormed()
  const budget = clamp(input.budgetTokens ?? BUDGET, 1, MAX_BUDGET)
  const ordering = ORDERINGS.find((known) => known === input.ordering) ?? ORDERINGS[0]
  const ranked = await rankKeys(deps, topic, { weights: WEIGHTS[ordering], tags: [] })
  const room = budget - costOf(`${header(topic, LONGEST)}\n\n`)
  // Programs count a character outside the BMP twice.
  const maxLength = input.budgetTokens === undefined ? 4 * room : Number.POSITIVE_INFINITY
  const { entries, used } = fill(ranked, room, maxLength)
  if (entries.length === 0) return nothingFits(topic, budget)
  return `${header(topic, { count: entries.length, tokens: used })}\n\n${entries.join('\n')}`
}

/** Best first; a value that is too large for the rest of the budget is skipped. */
function fill(
  ranked: readonly ScoredKey[],
  room: number,
  maxLength: number,
): { entries: string[]; used: number } {
  const entries: string[] = []
  let used = 0
  let length = 0
  for (const { document } of ranked) {
    const entry = `- ${keyLine(document)}`
    const cost = costOf(entry) + (entries.length > 0 ? 1 : 0)
    if (used + cost > room || length + entry.length > maxLength) continue
    entries.push(entry)
    used += cost
    length += entry.length + 1
  }
  return { entries, used }
}

function header(topic: string, { count, tokens }: { count: number; tokens: number }): string {
  return `## Context for ${pythonRepr(topic)} (${plural(count, 'memory', 'memories')}, ~${tokens} tokens)`
}

/** The longest wording that fits. */
function nothingFits(topic: string, budget: number): string {
  const head = header(topic, { count: 0, tokens: 0 })
  const ladder = [`${head}\n\n_No relevant memories fit within the token budget._`, head, '_no context_']
  return ladder.find((text) => costOf(text) <= budget) ?? ''
}

/** Four characters per token, rounded up. */
function costOf(text: string): number {
  return Math.ceil(countCodePoints(text) / 4)
}
