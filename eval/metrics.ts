/** How well one ranked list answers one question, and the mean over many. Pure; shares of 1, not percentages. */
export const CUTOFFS = [5, 10, 25, 50] as const
const GAIN_CUTOFF = 10

export type Metric = `recall@${(typeof CUTOFFS)[number]}` | 'ndcg@10' | 'mrr'
export const METRICS: readonly Metric[] = [
  'recall@5',
  'recall@10',
  'recall@25',
  'recall@50',
  'ndcg@10',
  'mrr',
]
export type Scores = Record<Metric, number>

/** `found`: distinct, best first. `relevant`: distinct and at least one. Every relevant one is worth the same. */
export function scoresOf(found: readonly string[], relevant: readonly string[]): Scores {
  const wanted = new Set(relevant)
  const isWanted = found.map((id) => wanted.has(id))
  const recalls = CUTOFFS.map((cutoff) => [`recall@${cutoff}`, countTrue(isWanted, cutoff) / wanted.size])
  return { ...Object.fromEntries(recalls), 'ndcg@10': ndcg(isWanted, wanted.size), mrr: reciprocal(isWanted) }
}

/** Zeros for no scores at all. */
export function meanOf(all: readonly Scores[]): Scores {
  const sum = (metric: Metric): number => all.reduce((total, scores) => total + scores[metric], 0)
  return Object.fromEntries(
    METRICS.map((metric) => [metric, sum(metric) / Math.max(1, all.length)]),
  ) as Scores
}

/** The value that a share of all values is at or below (nearest rank); 0 for no values. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0
}

function countTrue(flags: readonly boolean[], cutoff: number): number {
  return flags.slice(0, cutoff).filter(Boolean).length
}

/** What the first ten are worth, each less the later it comes, beside the best that ten places could hold. */
function ndcg(isWanted: readonly boolean[], wanted: number): number {
  const worth = (flags: readonly boolean[]): number =>
    flags.reduce((total, flag, at) => total + (flag ? 1 / Math.log2(at + 2) : 0), 0)
  const ideal = Array.from({ length: Math.min(wanted, GAIN_CUTOFF) }, () => true)
  return worth(isWanted.slice(0, GAIN_CUTOFF)) / worth(ideal)
}

function reciprocal(isWanted: readonly boolean[]): number {
  const first = isWanted.indexOf(true)
  return first < 0 ? 0 : 1 / (first + 1)
}
