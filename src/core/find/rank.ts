/**
 * How well a node answers a query: BM25 over weighted fields, times a prior by heat. Pure, and the only place where a
 * score is made. How often a word stands in a field does not count, only whether: in memories of short texts that finds
 * as well (`npm run eval`), and an engine need not be asked for frequencies.
 */

/** Which units of a query a node has, and where: sets of units as bits. */
export interface Evidence {
  key: number
  label: number
  text: number
  /** In something above it, mostly a heading. */
  headings: number
  /** In siblings one place off, two places off and so on. */
  siblings: readonly number[]
  /** Of its text: a long one says any word more easily. */
  tokens: number
}

/** Where one unit stands, and what it adds to a score. */
export interface Part {
  label: boolean
  text: boolean
  headings: boolean
  /** How many places off the nearest sibling with it stands; 0: none near enough. */
  sibling: number
  /** How much finding it tells: rare ones more. */
  idf: number
  /** The weight of the fields that have it. */
  frequency: number
  score: number
}

export interface Ranked {
  evidence: Evidence
  relevance: number
  temperature: number
  /** By which heat multiplies the relevance. */
  prior: number
  score: number
}

const SATURATION = 1.2
const LABEL = 2
const TEXT = 1
const HEADINGS = 0.5
/** By how many places off; how far a sibling's words reach. */
const SIBLINGS = [0.5, 0.3, 0.15, 0.08]
export const REACH = SIBLINGS.length
const LONG = 256
const COLDEST = 0.3

/** Of a unit that `count` of `total` nodes have. Never negative: finding something is never worse than not finding it. */
export function idfOf(count: number, total: number): number {
  return Math.log(1 + (Math.max(total, count) - count + 0.5) / (count + 0.5))
}

/** Cold never means gone; and being read never makes a node rank lower. */
export function priorOf(heat: number): number {
  return COLDEST + (1 - COLDEST) * Math.min(1, Math.max(0, heat))
}

/** `idfs` of the units, in the order of their bits. Without units everything is equally relevant. */
export function relevanceOf(evidence: Evidence, idfs: readonly number[]): number {
  if (idfs.length === 0) return 1
  const anywhere = unitsOf(evidence)
  let sum = 0
  for (let at = 0; at < idfs.length; at++) {
    // Of many units a node has few, and a search looks at many nodes.
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

/** The place of the first that has it, or -1. A loop: a search asks this for each unit of each node that it looks at. */
function nearestOf(siblings: readonly number[], bit: number): number {
  for (let at = 0; at < siblings.length; at++) if ((siblings[at] as number) & bit) return at
  return -1
}

/** Only what is much longer than a paragraph pays for its length. */
function lengthFactor(tokens: number): number {
  return tokens <= LONG ? 1 : (LONG / tokens) ** 0.25
}

/** `temperature`: its heat now. */
export function rankOf(evidence: Evidence, temperature: number, idfs: readonly number[]): Ranked {
  const relevance = relevanceOf(evidence, idfs)
  const prior = priorOf(temperature)
  return { evidence, relevance, temperature, prior, score: relevance * prior }
}

/** What a relevance is made of, unit by unit. */
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
