/**
 * The score of a node for a query: BM25 over weighted fields, times a prior by heat. Pure, and the only place that
 * computes scores. Word frequency within a field does not count: in memories of short texts it does not improve results
 * (`npm run eval`), and engines need not provide it.
 */

/** Which units of a query a node has, and where: sets of units as bits. */
export interface Evidence {
  key: number
  label: number
  text: number
  /** In an ancestor, mostly a heading. */
  headings: number
  /** In siblings one place away, two places away, and so on. */
  siblings: readonly number[]
  /** Of its text: a long text contains any word more easily. */
  tokens: number
}

/** Where one unit is, and what it adds to a score. */
export interface Part {
  label: boolean
  text: boolean
  headings: boolean
  /** The distance of the nearest sibling with it; 0: none near enough. */
  sibling: number
  /** How much a match counts: more for rare units. */
  idf: number
  /** The weight of the fields that have it. */
  frequency: number
  score: number
}

export interface Ranked {
  evidence: Evidence
  relevance: number
  temperature: number
  /** The factor of heat. */
  prior: number
  score: number
}

const SATURATION = 1.2
const LABEL = 2
const TEXT = 1
const HEADINGS = 0.5
/** By distance; also how far a sibling's words reach. */
const SIBLINGS = [0.5, 0.3, 0.15, 0.08]
export const REACH = SIBLINGS.length
const LONG = 256
const COLDEST = 0.3

/** For a unit that `count` of `total` nodes have. Never negative: a match never lowers a score. */
export function idfOf(count: number, total: number): number {
  return Math.log(1 + (Math.max(total, count) - count + 0.5) / (count + 0.5))
}

/** Cold nodes are never excluded, and being read never lowers a rank. */
export function priorOf(heat: number): number {
  return COLDEST + (1 - COLDEST) * Math.min(1, Math.max(0, heat))
}

/** `idfs` of the units, in the order of their bits. Without units everything is equally relevant. */
export function relevanceOf(evidence: Evidence, idfs: readonly number[]): number {
  if (idfs.length === 0) return 1
  const anywhere = unitsOf(evidence)
  let sum = 0
  for (let at = 0; at < idfs.length; at++) {
    // A node has few of many units, and a search scores many nodes.
    if (anywhere & (1 << at)) sum += scoreOf(frequencyOf(evidence, 1 << at), idfs[at] as number)
  }
  return sum
}

function unitsOf({ label, text, headings, siblings }: Evidence): number {
  let units = label | text | headings
  for (const mask of siblings) units |= mask
  return units
}

function scoreOf(frequency: number, idf: number): number {
  return (idf * frequency * (SATURATION + 1)) / (frequency + SATURATION)
}

function frequencyOf({ label, text, headings, siblings, tokens }: Evidence, bit: number): number {
  let frequency = 0
  if (label & bit) frequency += LABEL
  if (text & bit) frequency += TEXT * lengthFactor(tokens)
  if (headings & bit) frequency += HEADINGS
  return frequency + (SIBLINGS[nearestOf(siblings, bit)] ?? 0)
}

/** The index of the first that has it, or -1. A loop: a search calls it for each unit of each node. */
function nearestOf(siblings: readonly number[], bit: number): number {
  for (let at = 0; at < siblings.length; at++) if ((siblings[at] as number) & bit) return at
  return -1
}

/** Only texts much longer than a paragraph are penalised. */
function lengthFactor(tokens: number): number {
  return tokens <= LONG ? 1 : (LONG / tokens) ** 0.25
}

/** `temperature`: its current heat. */
export function rankOf(evidence: Evidence, temperature: number, idfs: readonly number[]): Ranked {
  const relevance = relevanceOf(evidence, idfs)
  const prior = priorOf(temperature)
  return { evidence, relevance, temperature, prior, score: relevance * prior }
}

/** The parts of a relevance, unit by unit. */
export function partsOf(evidence: Evidence, idfs: readonly number[]): Part[] {
  return idfs.map((idf, at) => {
    const bit = 1 << at
    const frequency = frequencyOf(evidence, bit)
    return {
      label: (evidence.label & bit) !== 0,
      text: (evidence.text & bit) !== 0,
      headings: (evidence.headings & bit) !== 0,
      sibling: nearestOf(evidence.siblings, bit) + 1,
      idf,
      frequency,
      score: scoreOf(frequency, idf),
    }
  })
}
